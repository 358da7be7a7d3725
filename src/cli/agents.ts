import {
  createAgent,
  findAgentByEmail,
  listAgents,
  setOperator,
  setVerified,
  signOutEverywhere,
} from '../agents/service.ts'
import {
  type Command,
  type OnDatabase,
  optional,
  required,
  type Terminal,
  table,
  type Values,
} from './command.ts'

const verifyCommand = (onDatabase: OnDatabase, verified: boolean): Command => ({
  summary: verified
    ? 'Mark an agent’s license as verified: keys work, published listings appear.'
    : 'Revoke the verification: keys stop, sessions end, listings are hidden from everyone else.',
  argument: 'EMAIL',
  async run({ argument }) {
    const { id, email, name } = await onDatabase(db => setVerified(db, argument, verified))
    return {
      data: { id, email, name, verified },
      text: `${email} is ${verified ? 'verified' : 'no longer verified'}.`,
    }
  },
})

const VISIBLE =
  'Others on this machine can see what is typed after --password. Use --password-stdin, or LONJA_PASSWORD in the environment.'

/** One line of standard input, or LONJA_PASSWORD; an argument would be visible in the process list. */
const passwordFrom = ({ settings, input }: Terminal, values: Values, fromInput: boolean | undefined) =>
  values.password ?? (fromInput ? input?.().split(/\r?\n/, 1)[0] : settings().LONJA_PASSWORD || undefined)

const listCommand = (onDatabase: OnDatabase): Command => ({
  summary: 'List all agents.',
  async run() {
    const agents = await onDatabase(listAgents)
    const data = agents.map(({ is_test, ...agent }) => ({
      ...agent,
      verified: agent.verified_at !== null,
      test: is_test,
    }))
    const rows = data.map(({ email, name, agency, verified, test }) => ({
      email,
      name,
      agency,
      verified: verified ? 'verified' : 'not verified',
      test: test ? 'test account' : '',
    }))
    return { data, text: table(rows) }
  },
})

export const agentCommands = (onDatabase: OnDatabase, terminal: Terminal): Record<string, Command> => ({
  'agent create': {
    summary:
      'Add an agent. --agency names the agency, created if new; --test makes a test account. The password comes from --password-stdin or LONJA_PASSWORD.',
    options: {
      name: required('NAME'),
      email: required('EMAIL'),
      phone: optional('PHONE'),
      agency: optional('NAME'),
      'license-number': optional('NUMBER'),
      'license-state': optional('STATE'),
      password: optional('PASSWORD'),
      'password-stdin': {},
      verified: {},
      test: {},
    },
    async run(values, switches) {
      const { verified, test } = switches
      const agent = await onDatabase(db =>
        createAgent(db, {
          name: values.name as string,
          email: values.email as string,
          phone: values.phone,
          agency: values.agency,
          licenseNumber: values['license-number'],
          licenseState: values['license-state'],
          password: passwordFrom(terminal, values, switches['password-stdin']),
          verified,
          test,
        }),
      )
      if (values.password !== undefined) terminal.remark(VISIBLE)
      return { data: { ...agent, verified, test }, text: `Created ${agent.name} <${agent.email}>.` }
    },
  },
  'agent verify': verifyCommand(onDatabase, true),
  'agent unverify': verifyCommand(onDatabase, false),
  'agent operator': {
    summary: 'Give an agent access to the operator’s pages of the portal; --off removes it.',
    argument: 'EMAIL',
    options: { off: {} },
    async run({ argument }, { off }) {
      const { id, email, name } = await onDatabase(db => setOperator(db, argument, !off))
      return {
        data: { id, email, name, operator: !off },
        text: `${email} is ${off ? 'no longer an operator' : 'an operator'}.`,
      }
    },
  },
  'agent sign-out': {
    summary: 'End all of an agent’s portal sessions; the password and keys stay valid.',
    argument: 'EMAIL',
    async run({ argument }) {
      const { id, email, name } = await onDatabase(async db => {
        const agent = await findAgentByEmail(db, argument)
        await signOutEverywhere(db, agent.id)
        return agent
      })
      return { data: { id, email, name, signed_out: true }, text: `${email} is signed out everywhere.` }
    },
  },
  'agent list': listCommand(onDatabase),
})
