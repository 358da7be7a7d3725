import { describe, expect, it } from 'vitest'
import {
  type Action,
  initialsOf,
  may,
  ROLES,
  RULES,
  STATES,
  stateAfter,
} from '../../src/cooperation/rules.ts'
import { mentions } from '../../src/cooperation/thread/clients.ts'
import { entryDigest, threadHash } from '../../src/cooperation/thread/hash.ts'

/**
 * Who may, by state in the order of STATES: C the client's agent, O the owner of the listing, B both, A whoever has to answer,
 * P whoever proposed, - nobody. Written by hand: a change of the rules has to be made here too.
 */
const TABLE: Record<Action, string> = {
  //           proposed accepted showing offer closed declined withdrawn lost expired
  accept: 'A - - - - - - - -',
  counter: 'A - - - - - - - -',
  decline: 'A - - - - - - - -',
  withdraw: 'P - - - - - - - -',
  message: 'B B B B B - - - -',
  file: 'B B B B B - - - -',
  attach: 'C C C C - - - - -',
  identify: '- C C - - - - - -',
  share: 'C C C C - - - - -',
  showing: '- B B - - - - - -',
  offer: '- - B - - - - - -',
  close: '- - - B - - - - -',
  lose: '- B B B - - - - -',
  dispute: 'B B B B B B B B B',
  address: '- C C C C - - - -',
  agreement: '- B B B B - - - -',
}

const cells = (Object.keys(RULES) as Action[]).flatMap(action =>
  STATES.flatMap((state, i) =>
    ROLES.flatMap(role =>
      (state === 'proposed' ? ROLES : [null]).flatMap(awaited =>
        ROLES.map(proposed_by => {
          const mark = TABLE[action].split(' ')[i] as string
          const isAllowed = {
            A: awaited === role,
            P: proposed_by === role,
            C: role === 'buyer',
            O: role === 'owner',
            B: true,
            '-': false,
          }[mark]
          return { action, state, role, awaited, proposed_by, isAllowed }
        }),
      ),
    ),
  ),
)

describe('the rules of a cooperation', () => {
  it.each(cells)(
    '$action in $state by $role (awaited: $awaited, proposed by $proposed_by): $isAllowed',
    ({ action, role, isAllowed, ...standing }) => expect(may(action, standing, role)).toBe(isAllowed),
  )

  it('lead from a proposal to a deal, and to every other end', () => {
    expect(stateAfter('accept', 'proposed')).toBe('accepted')
    expect(stateAfter('showing', 'accepted')).toBe('showing')
    expect(stateAfter('offer', 'showing')).toBe('offer')
    expect(stateAfter('close', 'offer')).toBe('closed')
    expect(stateAfter('decline', 'proposed')).toBe('declined')
    expect(stateAfter('withdraw', 'proposed')).toBe('withdrawn')
    expect(stateAfter('lose', 'offer')).toBe('lost')
    expect(stateAfter('counter', 'proposed')).toBe('proposed')
    expect(stateAfter('message', 'offer')).toBe('offer')
  })
})

describe('initials', () => {
  it.each([
    ['Rosa Elena Cárdenas', 'R. E. C.'],
    ['ángela', 'Á.'],
    ['  Juan   «Pepe» de la O  ', 'J. P. D.'],
    ['—', '—'],
    ['', '—'],
  ])('of %j are %j', (name, initials) => expect(initialsOf(name)).toBe(initials))
})

describe('the hash of a thread', () => {
  const entry = {
    id: 1,
    at: new Date(0),
    agent_id: 'a',
    kind: 'message',
    text: 'x',
    split: null,
    showing_at: null,
    file: null,
    digest: null,
  }

  it('changes with every part of every entry and with their order', () => {
    const other = { ...entry, id: 2 }
    const hashes = [
      [entry],
      [entry, other],
      [other, entry],
      [{ ...entry, text: 'y' }],
      [{ ...entry, at: new Date(1) }],
      [{ ...entry, agent_id: null }],
      [{ ...entry, split: '3' }],
      [{ ...entry, showing_at: new Date(0) }],
      [{ ...entry, file: 'f' }],
    ].map(threadHash)
    expect(new Set(hashes).size).toBe(hashes.length)
    expect(threadHash([{ ...entry }])).toBe(hashes[0])
  })
  it('stays the same when a text or a file is removed and its digest kept', () => {
    const thread = [entry, { ...entry, id: 2, file: 'f' }]
    const removed = thread.map(one => ({ ...one, text: null, file: null, digest: entryDigest(one) }))
    expect(threadHash(removed)).toBe(threadHash(thread))
  })
})

describe('a text', () => {
  const person = { name: 'Rosa Elena de la Ó', email: 'rosa.e@example.com', phone: '+52 33 5566 7788' }

  it.each([
    ['Le interesa a ROSA', true],
    ['doña Élena viene el lunes', true],
    ['escríbele a Rosa.E@Example.com', true],
    ['su cel: (33) 5566-7788', true],
    ['Le interesa a rosaura', false],
    ['de la colonia, en 33 5566 7789', false],
    ['', false],
  ])('%j names the person: %s', (text, isNaming) => expect(mentions(text, person)).toBe(isNaming))

  it('of a person without contact is judged by the name alone', () =>
    expect(mentions('33 5566 7788', { name: '—', email: null, phone: null })).toBe(false))
})
