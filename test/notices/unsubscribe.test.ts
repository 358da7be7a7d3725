import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { unsubscribeKeyOf, unsubscribeToken } from '../../src/lib/unsubscribe.ts'
import { requestMatchMail } from '../../src/needs/service.ts'
import type { Mail } from '../../src/notices/mail.ts'
import { folderMailer } from '../../src/notices/mailers.ts'
import { sharedKey } from '../../src/webhooks/secrets.ts'
import { PUBLIC_URL, useExchange } from '../support/exchange.ts'
import { takeMail } from '../support/mail.ts'
import { multipart, urlencoded, Visitor } from '../support/visitor.ts'

const exchange = useExchange()
const ONE_CLICK: [string, string][] = [['List-Unsubscribe', 'One-Click']]
let other: { id: string }

beforeAll(async () => {
  other = await exchange.agent()
  await needOf(other.id)
})

async function needOf(agentId: string): Promise<string> {
  const { rows } = await exchange.pool.query<{ id: string }>(
    `insert into needs (agent_id, query, places, notices, until, held_at)
     values ($1, '', '{Tepic}', 'at_once', now() + interval '1 day', now()) returning id`,
    [agentId],
  )
  return rows[0]?.id as string
}

const noticesOf = async (agentId: string) =>
  (await exchange.pool.query('select notices from needs where agent_id = $1', [agentId])).rows

/** A need with a match that waits, the mail about it, and the path that ends such mail. */
async function mailed(lang: 'es' | 'en' = 'es') {
  const agent = await exchange.agent()
  await exchange.pool.query('update agents set lang = $2 where id = $1', [agent.id, lang])
  const need = await needOf(agent.id)
  const listing = await exchange.published(other as never, { city: 'Tepic' })
  await exchange.pool.query('insert into need_matches (need_id, listing_id) values ($1, $2)', [
    need,
    listing.id,
  ])
  await exchange.db.transaction().execute(tx => requestMatchMail(tx, agent.id, 'at_once'))
  const mail = (await takeMail(exchange)).find(({ to }) => to.address === agent.email) as Mail
  return { agent, mail, path: String(mail.unsubscribeUrl).slice(PUBLIC_URL.length) }
}

describe('mail about needs', () => {
  it('carries the headers of RFC 8058 on one line each, and the same link for people', async () => {
    const { mail } = await mailed()
    const folder = await mkdtemp(join(tmpdir(), 'lonja-unsubscribe-'))
    await folderMailer(folder, 'Lonja <no-reply@lonja.example>').send(mail)
    const [name = ''] = await readdir(folder)
    const message = await readFile(join(folder, name), 'utf8')
    await rm(folder, { recursive: true })
    expect(message).toContain(`\nList-Unsubscribe: <${mail.unsubscribeUrl}>\n`)
    expect(message).toContain('\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\n')
    expect(mail.text).toContain(`Dejar de recibir estos correos <${mail.unsubscribeUrl}>`)
    expect(mail.html).toContain(`href="${mail.unsubscribeUrl}"`)
  })

  it.each([
    ['as a form', urlencoded(ONE_CLICK)],
    ['as multipart', multipart(ONE_CLICK)],
    ['without a body', {}],
  ])(
    'ends with one POST of a mail program %s, for that agent only, and again without harm',
    async (_how, body) => {
      const { agent, path } = await mailed()
      for (const _time of [1, 2]) {
        const program = await new Visitor(exchange).request('POST', path, {
          ...body,
          headers: { ...('headers' in body ? body.headers : {}), origin: 'null', 'sec-fetch-site': 'none' },
        })
        expect(program.status).toBe(200)
        expect(program.headers.location).toBeUndefined()
      }
      expect(await noticesOf(agent.id)).toEqual([{ notices: 'none' }])
      expect(await noticesOf(other.id)).toEqual([{ notices: 'at_once' }])
    },
  )

  it('ends by the button of the page, which opening it does not press', async () => {
    const { agent, path } = await mailed('en')
    expect(path).toMatch(/^\/en\/unsubscribe\//)
    const visitor = await new Visitor(exchange).open(path)
    expect(visitor.text).toContain('Unsubscribe from these emails?')
    expect(visitor.headers['cache-control']).toBe('no-store')
    expect(await noticesOf(agent.id)).toEqual([{ notices: 'at_once' }])
    await visitor.submit(path)
    expect(visitor.text).toContain('you are unsubscribed')
    expect(await noticesOf(agent.id)).toEqual([{ notices: 'none' }])
  })

  it('that was requested before it ended is not sent', async () => {
    const { agent, path } = await mailed()
    await exchange.pool.query(
      'update need_matches set announced_at = null where need_id in (select id from needs where agent_id = $1)',
      [agent.id],
    )
    await exchange.db.transaction().execute(tx => requestMatchMail(tx, agent.id, 'at_once'))
    await new Visitor(exchange).request('POST', path)
    expect(await takeMail(exchange)).toEqual([])
  })
})

describe('a link that was changed', () => {
  it('ends nothing', async () => {
    const { agent, path } = await mailed()
    const [, folder, token = ''] = path.split('/')
    const key = unsubscribeKeyOf(await sharedKey(exchange.db, undefined))
    const foreign = unsubscribeToken(unsubscribeKeyOf('another installation'), 'needs', agent.id)
    const changed = [
      token.slice(0, -1),
      `${token}x`,
      `${token}.`,
      token.replace(agent.id, other.id),
      token.replace('needs.', 'toString.'),
      unsubscribeToken(key, 'needs', randomUUID()).replace(/^[^.]+\.[^.]+/, `needs.${agent.id}`),
      foreign,
      'needs',
      '%F0%9F%8F%A0.%2e.',
    ]
    for (const one of changed) {
      for (const method of ['GET', 'POST'] as const) {
        const visitor = await new Visitor(exchange).request(method, `/${folder}/${one}`)
        expect(visitor.status, `${method} ${one}`).toBe(404)
      }
    }
    expect(await noticesOf(agent.id)).toEqual([{ notices: 'at_once' }])
    expect(await noticesOf(other.id)).toEqual([{ notices: 'at_once' }])
  })

  it('is not in the log', async () => {
    const { path } = await mailed()
    exchange.log.length = 0
    await new Visitor(exchange).open(path)
    expect(exchange.log.join('')).toContain('/baja/[hidden]')
    expect(exchange.log.join('')).not.toContain(path.slice(-43))
  })
})
