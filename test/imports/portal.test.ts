import { describe, expect, it } from 'vitest'
import { useExchange } from '../support/exchange.ts'
import { work } from '../support/imports.ts'
import { csv } from '../support/spreadsheets.ts'
import { signedInAgent, type Visitor } from '../support/visitor.ts'

const exchange = useExchange()

const CONTENT = csv([
  ['Clave', 'Lo que sea', 'Precio venta', 'Ciudad', 'Estado', 'Nombre de la propiedad'],
  ['A-1', 'x', '1.8 MDP', 'Guadalajara', 'Jal.', 'Casa con jardín'],
  ['A-2', 'y', 'Consultar', 'Guadalajara', 'Jal.', '=Casa "bonita", con patio'],
  ['A-3', 'z', '2.5 MDP', 'Guadalajara', 'Aztlán', '<script>Casa</script>'],
])

async function send(visitor: Visitor, content: string | Buffer) {
  await visitor.open('/portal/import')
  const file = { field: 'file', name: 'inventario <2026>.csv', bytes: Buffer.from(content) }
  await visitor.submit('/portal/import', {}, [file])
  return visitor.path
}

/** What the workers do, and the page afterwards. */
async function proceed(visitor: Visitor, path: string) {
  await work(exchange, path.split('/').at(-1) as string)
  return visitor.open(path)
}

describe('the screens of imports', () => {
  it('lead from a file to published listings, and back', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const path = await send(visitor, CONTENT)
    expect(path).toMatch(/^\/portal\/import\/[0-9a-f-]{36}$/)
    expect(visitor.text).toContain('Leyendo el archivo')
    expect(visitor.headers.refresh).toBe('2')

    await proceed(visitor, path)
    expect(visitor.headers.refresh).toBeUndefined()
    expect(visitor.text).toContain('Reconocimos 5 de 6 columnas')
    expect(visitor.text).toContain('inventario <2026>.csv')
    await visitor.submit(`${path}/columns`)
    expect(visitor.text).toContain('Revisando las filas')

    await proceed(visitor, path)
    expect(visitor.text).toContain('Aún no guardamos nada')
    expect(visitor.text).toContain('Precio venta : no es una cantidad clara')
    expect(visitor.text).toContain('(dice «Consultar»)')
    expect(visitor.text).toContain('Estado : no es un estado de México (dice «Aztlán»)')
    expect(visitor.html).not.toContain('<script>Casa')
    await visitor.open(`${path}?result=created`)
    expect(visitor.text).toContain('A-1 · Casa con jardín')
    expect(visitor.text).not.toContain('Consultar')

    await visitor.submit(`${path}/confirm`, { status: 'published' })
    expect(visitor.text).toContain('Importando')
    await proceed(visitor, path)
    expect(visitor.text).toContain('Importación terminada')
    const listings = await exchange.get('/my/properties', agent.key)
    expect(listings.body.content).toMatchObject([{ source_id: 'A-1', status: 'published' }])

    await visitor.submit(`${path}/undo`)
    await proceed(visitor, path)
    expect(visitor.text).toContain('1 propiedades volvieron a como estaban')
    expect((await exchange.get('/my/properties', agent.key)).body.content).toEqual([])
    await visitor.open('/portal/import')
    expect(visitor.text).toContain('Deshecha')
  })

  it('give the refused rows back as a file with the reasons, which can be repaired and sent again', async () => {
    const { agent, visitor } = await signedInAgent(exchange)
    const path = await send(visitor, CONTENT)
    await proceed(visitor, path)
    await visitor.submit(`${path}/columns`)
    await proceed(visitor, path)
    await visitor.request('GET', `${path}/refused.csv`)
    const file = visitor.html
    expect(file).toContain('Motivo,Clave,Lo que sea')
    expect(file).toContain('Precio venta: no es una cantidad clara')
    expect(file).toContain(`"'=Casa ""bonita"", con patio"`)
    await visitor.open(path)
    await visitor.submit(`${path}/cancel`)
    const repaired = await send(
      visitor,
      file.replaceAll('Consultar', '2 MDP').replaceAll('Aztlán', 'Jalisco'),
    )
    await proceed(visitor, repaired)
    await visitor.submit(`${repaired}/columns`)
    await proceed(visitor, repaired)
    await visitor.submit(`${repaired}/confirm`, { status: 'draft' })
    await work(exchange, repaired.split('/').at(-1) as string)
    const { content } = (await exchange.get('/my/properties', agent.key)).body
    expect(
      content.map((one: { title: string; status: string }) => `${one.title} ${one.status}`).sort(),
    ).toEqual(['<script>Casa</script> draft', '=Casa "bonita", con patio draft'])
  })

  it('refuse a form without a file, a second import at the same time, and columns without a code', async () => {
    const { visitor } = await signedInAgent(exchange)
    await visitor.open('/portal/import')
    await visitor.submit('/portal/import')
    expect([visitor.status, visitor.text]).toEqual([422, expect.stringContaining('Es obligatorio.')])
    const path = await send(visitor, CONTENT)
    await send(visitor, CONTENT)
    expect([visitor.status, visitor.text]).toEqual([
      422,
      expect.stringContaining('Otra importación no ha terminado'),
    ])
    await proceed(visitor, path)
    await visitor.submit(`${path}/columns`, { 'column-0': '' })
    expect([visitor.status, visitor.text]).toEqual([
      422,
      expect.stringContaining('Elige la columna que identifica'),
    ])
    await visitor.submit(`${path}/columns`, { 'column-1': 'title' })
    expect([visitor.status, visitor.text]).toEqual([
      422,
      expect.stringContaining('También está elegido para «Lo que sea».'),
    ])
  })

  it('say what is wrong with a file that cannot be read', async () => {
    const { visitor } = await signedInAgent(exchange)
    const path = await send(visitor, Buffer.from([0x89, 0x50, 0, 0, 0]))
    await proceed(visitor, path)
    expect(visitor.text).toContain(
      'El archivo no se puede leer: envía un archivo .csv o un libro .xlsx sin contraseña.',
    )
  })

  it('offer a template whose every column is recognized', async () => {
    const { visitor } = await signedInAgent(exchange)
    await visitor.request('GET', '/portal/import/template.csv')
    const path = await send(visitor, visitor.html)
    await proceed(visitor, path)
    expect(visitor.text).toContain('Reconocimos 22 de 22 columnas')
    await visitor.submit(`${path}/columns`)
    await proceed(visitor, path)
    expect(visitor.text).toContain('Importar 1 propiedades')
  })
})
