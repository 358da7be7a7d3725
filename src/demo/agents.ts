import { STATES } from '../lookups/states.ts'
import { agenciesFor, INACTIVE_AGENCY } from './agencies.ts'
import { drawName, drawPhone, emailOf } from './people.ts'
import { chance, int, pick, type Random, stream } from './random.ts'
import type { DemoAgent } from './types.ts'

/** Index of the agent whose keys the demo prints: verified, public, with listings in every status and leads. */
export const DEMO_AGENT = 0
export const DEMO_EMAIL = 'demo@lonja.example'

/** Home state of each agent; the order is the index. */
const HOMES: readonly string[] = [
  ...Array(5).fill('Ciudad de México'),
  ...Array(4).fill('Jalisco'),
  ...Array(4).fill('Nuevo León'),
  ...Array(3).fill('Estado de México'),
  ...Array(4).fill('Quintana Roo'),
  ...Array(3).fill('Yucatán'),
  ...Array(3).fill('Querétaro'),
  ...Array(2).fill('Puebla'),
  'Baja California',
  'Baja California Sur',
  'Nayarit',
  'Guanajuato',
  'Morelos',
  'Veracruz',
  'Sinaloa',
  'Sonora',
  'Chihuahua',
  'Coahuila',
  'San Luis Potosí',
  'Michoacán',
]

// Special cases are in states with several agents, so that every state has a visible one.
const UNVERIFIED: ReadonlySet<number> = new Set([4, 8, 19, 22])
/** Colleagues of the demo agent, who owns their agency. */
const TEAM: ReadonlySet<number> = new Set([1, 2])
const TEST_ACCOUNT = 12
const NOT_PUBLIC = 15
const IN_INACTIVE_AGENCY = 3

export const DEMO_AGENTS = HOMES.length

export const homeOf = (agent: number): string => HOMES[agent] as string

function licenseNumber(r: Random, state: string): string {
  const code = STATES.find(s => s.name === state)?.code.slice(3) ?? 'MEX'
  return `${code}-AI-${int(r, 2012, 2024)}-${String(int(r, 1, 9999)).padStart(4, '0')}`
}

function agencyOf(r: Random, index: number, state: string): number | null {
  if (index === DEMO_AGENT) return 0
  if (index === IN_INACTIVE_AGENCY) return INACTIVE_AGENCY
  const drawn = chance(r, 0.82) ? pick(r, agenciesFor(state)) : null
  return TEAM.has(index) ? 0 : drawn
}

function generateAgent(r: Random, index: number): DemoAgent {
  const state = homeOf(index)
  const verified = !UNVERIFIED.has(index)
  const name =
    index === DEMO_AGENT
      ? 'Mariana Robles Ibarra'
      : index === TEST_ACCOUNT
        ? 'Cuenta de Prueba Lonja'
        : drawName(r)
  const licensed = verified || chance(r, 0.5)
  return {
    name,
    email: index === DEMO_AGENT ? DEMO_EMAIL : emailOf(name, index),
    phone: index === DEMO_AGENT || chance(r, 0.93) ? drawPhone(r, state) : null,
    agency: agencyOf(r, index, state),
    license_number: licensed ? licenseNumber(r, state) : null,
    license_state: licensed ? state : null,
    verified,
    is_test: index === TEST_ACCOUNT,
    in_directory: index !== NOT_PUBLIC,
    lang: index !== DEMO_AGENT && chance(r, 0.1) ? 'en' : 'es',
    created_days_ago: index === DEMO_AGENT ? 900 : int(r, 60, 1400),
  }
}

export const generateAgents = (seed: number): DemoAgent[] =>
  HOMES.map((_, index) => generateAgent(stream(seed, `agent/${index}`), index))
