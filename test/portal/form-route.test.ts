import Fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { issue } from '../../src/lib/issue.ts'
import { Problem, refuseIfAny } from '../../src/lib/problem.ts'
import { formRoute } from '../../src/portal/form-route.ts'

type Outcome = 'done' | 'rejected' | 'missing' | 'fault'

async function run(outcome: Outcome): Promise<void> {
  if (outcome === 'rejected') refuseIfAny([issue('note', 'required')])
  if (outcome === 'missing') throw new Problem('not_found')
  if (outcome === 'fault') throw new Error('broken')
}

/** A form about one record, without the rest of the portal. */
async function post(path: string, outcome: Outcome) {
  const steps: string[] = []
  const app = Fastify()
  app.decorateRequest('form')
  app.addHook('onRequest', async request => {
    request.form = new URLSearchParams({ note: 'typed' })
  })
  app.setErrorHandler((error, _request, reply) => reply.code(500).send(`error page: ${error}`))
  const form = {
    read: async ({ params }: { params: { id: string } }) => {
      if (params.id === 'none') throw new Problem('not_found')
      steps.push('read')
      return params.id
    },
    run: async (_request: unknown, id: string) => {
      steps.push(`run ${id}`)
      await run(outcome)
      return `result of ${id}`
    },
  }
  formRoute(app, {
    path: '/things/:id',
    ...form,
    redraw: (_request, reply, { values, errors }, id) =>
      reply.send(`redrawn ${id}: ${values.get('note')}, ${errors.map(one => one.field)}`),
    done: (_request, reply, result, id) => reply.send(`done ${id}: ${result}`),
  })
  formRoute(app, {
    path: '/buttons/:id',
    ...form,
    done: (_request, reply, result) => reply.send(`done: ${result}`),
  })
  const { statusCode, body } = await app.inject({ method: 'POST', url: path })
  await app.close()
  return { statusCode, body, steps }
}

describe('formRoute', () => {
  it('reads, runs, and continues with the result and what was read', async () => {
    expect(await post('/things/7', 'done')).toEqual({
      statusCode: 200,
      body: 'done 7: result of 7',
      steps: ['read', 'run 7'],
    })
  })

  it('renders the page again with 422, the input and its issues', async () => {
    const { statusCode, body } = await post('/things/7', 'rejected')
    expect([statusCode, body]).toEqual([422, 'redrawn 7: typed, note'])
  })

  it('runs nothing for an unknown record', async () => {
    const { body, steps } = await post('/things/none', 'done')
    expect(body).toContain('error page')
    expect(steps).toEqual([])
  })

  it.each(['missing', 'fault'] as const)(
    'leaves errors that the user cannot fix to the error page: %s',
    async outcome => {
      expect((await post('/things/7', outcome)).body).toContain('error page')
    },
  )

  it('leaves every error to the error page without a page to render again', async () => {
    expect((await post('/buttons/7', 'rejected')).body).toContain('error page')
    expect((await post('/buttons/7', 'done')).body).toBe('done: result of 7')
  })
})
