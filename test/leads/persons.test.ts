import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { erasePersons, exportPerson, findPerson } from '../../src/leads/persons.ts'
import { removeMailsNaming } from '../../src/notices/mailers.ts'
import { useExchange } from '../support/exchange.ts'
import { Visitor } from '../support/visitor.ts'

const exchange = useExchange()

describe('a person who requests their data', () => {
  it('is found at every agent by email or phone, exported, and erased for good', async () => {
    const [one, two] = [await exchange.agent(), await exchange.agent()]
    const person = { name: 'Eva Arco', email: 'eva+casa@example.com', phone: '33 1234 5678' }
    for (const { key } of [one, two]) await exchange.post('/leads', key, person)
    await exchange.post('/leads', one.key, { name: 'Otra', email: 'otra@example.com' })
    for (const contact of ['EVA@example.com', '+523312345678']) {
      expect(await findPerson(exchange.db, contact)).toHaveLength(2)
    }
    expect(JSON.stringify(await exportPerson(exchange.db, 'eva@example.com'))).toContain('Eva Arco')
    const erased = await exchange.db
      .transaction()
      .execute(tx => erasePersons(tx, 'eva@example.com', async contacts => contacts.length))
    expect(erased).toEqual({ leads: 2, mails: 2 })
    expect(await findPerson(exchange.db, '+523312345678')).toEqual([])
    const { body } = await exchange.get('/leads', one.key)
    expect(JSON.stringify(body)).not.toContain('Eva')
    expect(body.content).toHaveLength(2)
  })

  it('is removed from the mail folder, and no one else is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lonja-mail-'))
    await writeFile(join(folder, 'a.eml'), 'To: <eva@exam=\r\nple.com>')
    await writeFile(join(folder, 'b.eml'), 'To: <otra@example.com>')
    await writeFile(join(folder, 'c.eml'), 'To: <geneva@example.com>')
    expect(await removeMailsNaming(folder, ['Eva@example.com'])).toBe(1)
    expect(await readdir(folder)).toEqual(['b.eml', 'c.eml'])
    await rm(folder, { recursive: true })
  })
})

describe('an agency with only test accounts', () => {
  it('has no page and is in no sitemap', async () => {
    await exchange.agent({ agency: 'Pruebas Internas', test: true })
    await exchange.agent({ agency: 'Casas de Verdad' })
    const visitor = new Visitor(exchange)
    expect((await visitor.open('/inmobiliarias/pruebas-internas')).status).toBe(404)
    expect((await visitor.open('/inmobiliarias/casas-de-verdad')).status).toBe(200)
    await visitor.open('/sitemaps/agentes.xml')
    expect(visitor.html).toContain('casas-de-verdad')
    expect(visitor.html).not.toContain('pruebas-internas')
  })
})
