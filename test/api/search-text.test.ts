import { beforeAll, describe, expect, it } from 'vitest'
import { type TestAgent, useExchange } from '../support/exchange.ts'
import { stock } from '../support/inventory.ts'

const exchange = useExchange()
let viewer: TestAgent
let owner: TestAgent

const PLAIN = { property_type: 'other', city: 'Tepic', state: 'Nayarit' }

/** Each holds the words of one kind of question, and is named by source_id. */
const MARKET: Record<string, Record<string, unknown>> = {
  habitacion: { title: 'Con una habitación grande' },
  habitaciones: { title: 'Con cinco habitaciones' },
  ubicacion: { title: 'Excelente ubicación céntrica' },
  ubicaciones: { title: 'Entre las mejores ubicaciones' },
  fundacion: { title: 'JUNTO A LA FUNDACION' },
  lavanderia: { title: 'Con lavandería propia' },
  departamento: { title: 'Para estrenar en torre', property_type: 'apartment' },
  departamentos: { title: 'Conjunto de departamentos' },
  pinata: { title: 'Salón de piñatas y pingüinos' },
  articulo: { title: 'La de los arcos' },
  porciento: { title: '100% escriturado' },
  capital: { title: 'Propiedad en la Roma', city: 'Cuauhtémoc', state: 'Ciudad de México' },
  vecina: { title: 'Propiedad en Toluca', city: 'Toluca', state: 'Estado de México' },
  lugares: {
    title: 'Propiedad en esquina',
    neighborhood: 'Chuburná',
    city: 'Progreso',
    municipality: 'Ticopó',
    state: 'Yucatán',
    features: ['Jacuzzi', 'Cancha de pádel'],
    description: 'Tiene vitrales y <b>herrería</b>.',
  },
  secreta: {
    title: 'Propiedad discreta',
    address: 'Calle Ahuehuete 1723',
    postal_code: '63173',
    internal_id: 'EXPEDIENTE77',
    shared_commission: 'comparto mitad zanahoria',
    video_url: 'https://videos.example.mx/tulipanes',
  },
  abierta: {
    title: 'Propiedad visible',
    address: 'Calle Jacaranda 4408',
    show_exact_address: true,
  },
}

beforeAll(async () => {
  owner = await exchange.agent({ name: 'Xóchitl Barragán', agency: 'Inmobiliaria Quetzalli' })
  viewer = await exchange.agent({ name: 'Luis Ramos' })
  for (const [name, fields] of Object.entries(MARKET)) {
    await stock(exchange, owner, { ...PLAIN, ...fields, external_id: name })
  }
})

const search = async (q: string, key = viewer.key) => {
  const { status, body } = await exchange.get(`/properties?limit=100&${new URLSearchParams({ q })}`, key)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.content.map((one: { source_id: string }) => one.source_id) as string[]
}

const finds = (q: string, expected: string[]) =>
  it(`«${q}» finds ${expected.join(', ') || 'nothing'}`, async () => {
    expect((await search(q)).sort()).toEqual([...expected].sort())
  })

describe('200', () => {
  describe('words find each other in singular and plural, with and without accents', () => {
    for (const q of ['habitacion', 'habitación', 'habitaciones', 'HABITACIÓN', 'Habitacio\u0301n']) {
      finds(q, ['habitacion', 'habitaciones'])
    }
    for (const q of ['ubicacion', 'ubicación', 'ubicaciones']) finds(q, ['ubicacion', 'ubicaciones'])
    for (const q of ['lavandería', 'lavanderia', 'LAVANDERIAS', 'lavanderías']) finds(q, ['lavanderia'])
    finds('pinata', ['pinata'])
    finds('piñata', ['pinata'])
    finds('pinguino', ['pinata'])
    finds('céntricas', ['ubicacion'])
    // Written without accents, as titles in capitals often are.
    for (const q of ['fundacion', 'fundación', 'fundaciones']) finds(q, ['fundacion'])
  })

  describe('short forms find the long ones', () => {
    for (const q of ['depa', 'depas', 'depto', 'deptos', 'DEPA', 'departamento']) {
      finds(q, ['departamento', 'departamentos'])
    }
    finds('recamara', ['habitacion', 'habitaciones'])
    finds('recámaras', ['habitacion', 'habitaciones'])
  })

  describe('words with the same meaning find each other, both ways', () => {
    finds('habitacion', ['habitacion', 'habitaciones'])
    finds('cuarto', ['habitacion', 'habitaciones'])
    finds('dormitorios', ['habitacion', 'habitaciones'])
    finds('apartamento', ['departamento', 'departamentos'])
    finds('piso', ['departamento'])
    finds('apartment', ['departamento'])
  })

  describe('aliases of states, places and amenities find what they stand for', () => {
    finds('df', ['capital'])
    finds('distrito federal', ['capital'])
    finds('Edo. de Méx.', ['vecina'])
    finds('Yuc.', ['lugares'])
    finds('peninsula de yucatan esquina', ['lugares'])
    finds('padel court', ['lugares'])
    finds('hot tub', ['lugares'])
  })

  describe('words without a say about the listing are ignored beside others', () => {
    finds('colonia chuburná', ['lugares'])
    finds('col. Chuburná', ['lugares'])
    finds('fracc. esquina', ['lugares'])
    finds('se vende esquina', ['lugares'])
    finds('esquina en venta', ['lugares'])
    finds('esquina en alquiler', [])
    finds('inmueble esquina', ['lugares'])
    finds('colonia', [])
  })

  describe('a denied amenity is only text', () => {
    finds('sin hot tub', [])
    finds('no jacuzzi', ['lugares'])
  })

  describe('the capital and the state around it are not mixed up', () => {
    finds('cdmx', ['capital'])
    finds('edomex', ['vecina'])
    finds('méxico', ['capital', 'vecina'])
  })

  describe('all words must be there, in any field and order', () => {
    finds('grande habitación', ['habitacion'])
    finds('cinco habitacion', ['habitaciones'])
    finds('grande cinco', [])
    finds('vitrales progreso esquina', ['lugares'])
    finds('una habitación con la grande', ['habitacion'])
    finds('esqui', [])
  })

  describe('what is searched', () => {
    finds('esquina', ['lugares'])
    finds('vitral', ['lugares'])
    finds('herrería', ['lugares'])
    finds('chuburna', ['lugares'])
    finds('progreso', ['lugares'])
    finds('ticopo', ['lugares'])
    finds('yucatán', ['lugares'])
    finds('jacuzzi', ['lugares'])
    finds('padel', ['lugares'])
    finds('xochitl', Object.keys(MARKET))
    finds('Barragán esquina', ['lugares'])
    finds('quetzalli esquina', ['lugares'])
  })

  describe('what a record hides cannot be found, not even by its owner', () => {
    const hidden = ['ahuehuete', '1723', '63173', 'EXPEDIENTE77', 'zanahoria', 'tulipanes', 'Calle Ahuehuete']
    it.each(hidden)('%s', async q => {
      expect(await search(q)).toEqual([])
      expect(await search(q, owner.key)).toEqual([])
    })

    it('finds an address that is shown', async () => {
      expect(await search('jacaranda 4408')).toEqual(['abierta'])
    })

    it('finds the address from when it is shown until it is hidden again', async () => {
      const { id } = await exchange.published(owner, {
        ...PLAIN,
        external_id: 'turno',
        address: 'Privada Colorines 12',
      })
      expect(await search('colorines')).toEqual([])
      await exchange.put(`/properties/${id}`, owner.key, { show_exact_address: true })
      expect(await search('colorines')).toEqual(['turno'])
      await exchange.put(`/properties/${id}`, owner.key, { show_exact_address: false })
      expect(await search('colorines')).toEqual([])
      expect((await exchange.delete(`/properties/${id}`, owner.key)).status).toBe(200)
    })
  })

  it('follows the text of a listing', async () => {
    const { id } = await exchange.published(owner, { ...PLAIN, external_id: 'cambia', title: 'Palapa vieja' })
    expect(await search('palapa')).toEqual(['cambia'])
    await exchange.put(`/properties/${id}`, owner.key, { title: 'Cabaña vieja', neighborhood: 'Esmeraldas' })
    expect(await search('palapa')).toEqual([])
    expect(await search('cabana esmeralda')).toEqual(['cambia'])
    await exchange.setStatus(id, 'withdrawn')
  })

  describe('words without meaning alone are looked for where titles begin', () => {
    finds('la', ['articulo'])
    finds('LA DE', ['articulo'])
    finds('con', ['habitacion', 'habitaciones', 'lavanderia', 'departamentos'])
    finds('de', [])
    finds('%', [])
    finds('_a', [])
  })

  describe('signs and operators are never an error', () => {
    it.each([
      "'",
      '"',
      '\\',
      '()',
      '&',
      '|',
      '!',
      '<->',
      ':*',
      ':A',
      '* * *',
      '-',
      '--',
      ';',
      '🏠',
      '½ m²',
      '漢字',
      'ﬁn',
      'a\u200db',
      '\u0301',
      '\u0001\u0007',
      '  ',
      '\t\n',
      "'; drop table listings; --",
      'or',
      'and not',
      'İstanbul',
      '𝐂𝐚𝐬𝐚',
      '1e400',
      '-1.5.3',
      'http://a.b/c?d=e',
      'x@y.mx',
      'a'.repeat(200),
      'á '.repeat(100),
      `${'palabra '.repeat(24)}`,
      Array.from({ length: 66 }, (_, i) => `a${i % 10}`).join(' '),
    ])('%j', async q => {
      await search(q)
    })

    finds('"habitación" & (grande)', ['habitacion'])
    finds('habitación:* !grande', ['habitacion'])
    finds("grande's habitación", [])
    finds('<b>herrería</b> vitrales', ['lugares'])
    finds('100%', ['porciento'])
    finds('¡ubicación, céntrica!', ['ubicacion'])
    finds('habitación-grande', ['habitacion'])
  })

  it('treats blank text as none', async () => {
    expect(await search('   ')).toHaveLength(Object.keys(MARKET).length)
  })

  it('counts 200 characters as people do', async () => {
    expect(await search('🏠'.repeat(200))).toEqual([])
    expect(await search(` ${'e\u0301'.repeat(200)} `)).toEqual([])
  })
})

describe('200 by relevance', () => {
  const WORD = 'obsidiana'
  const RANKED = {
    title: { title: `Propiedad ${WORD}` },
    place: { neighborhood: WORD },
    description: { description: `Junto a ${WORD}` },
  }

  const relevant = async (q: string, more = '') => {
    const { body } = await exchange.get(
      `/properties?sort=relevance&q=${encodeURIComponent(q)}${more}`,
      viewer.key,
    )
    return body.content.map((one: { source_id: string }) => one.source_id)
  }

  beforeAll(async () => {
    // Oldest first in rank, so that only relevance can bring them in order.
    const at = (minute: number) => ({ published_at: new Date(Date.UTC(2026, 0, 1, 0, minute)) })
    const base = { ...PLAIN, title: 'Propiedad sin más' }
    await stock(exchange, owner, { ...base, ...RANKED.title, external_id: 'title' }, at(0))
    await stock(exchange, owner, { ...base, ...RANKED.place, external_id: 'place' }, at(1))
    await stock(exchange, owner, { ...base, ...RANKED.description, external_id: 'description' }, at(2))
    await stock(exchange, owner, { ...base, property_type: 'warehouse', external_id: 'b-type' }, at(0))
    await stock(exchange, owner, { ...base, title: 'Vendo bodega', external_id: 'b-title' }, at(1))
    await stock(exchange, owner, { ...base, neighborhood: 'La Bodega', external_id: 'b-place' }, at(2))
    await stock(exchange, owner, { ...base, features: ['Bodega'], external_id: 'b-feature' }, at(3))
    await stock(exchange, owner, { ...base, description: 'Con bodega', external_id: 'b-description' }, at(4))
    await stock(exchange, owner, { ...base, description: 'Otra bodega', external_id: 'b-newest' }, at(5))
    const pets = { ...base, features: ['Mascotas permitidas'], external_id: 'pets' }
    await stock(exchange, owner, pets, at(0))
    await stock(exchange, owner, { ...base, title: 'No se aceptan mascotas', external_id: 'no-pets' }, at(1))
  })

  it('puts the title over the place over the description', async () => {
    expect(await relevant(WORD)).toEqual(['title', 'place', 'description'])
  })

  it('puts what is of the type over what mentions it, features between place and description, of equals the newest', async () => {
    expect(await relevant('bodega')).toEqual([
      'b-type',
      'b-title',
      'b-place',
      'b-feature',
      'b-newest',
      'b-description',
    ])
  })

  it('puts what has the amenity over what mentions it, even to deny it', async () => {
    expect(await relevant('acepta mascotas')).toEqual(['pets', 'no-pets'])
  })

  it('ranks by all the words together', async () => {
    const both = { ...PLAIN, title: 'Zircón', neighborhood: 'Turmalina' }
    const apart = { ...PLAIN, title: 'Zircón turmalina' }
    await stock(exchange, owner, { ...apart, external_id: 'two-in-title' }, { published_at: new Date(0) })
    await stock(exchange, owner, { ...both, external_id: 'one-in-title' })
    expect(await relevant('turmalina zircon')).toEqual(['two-in-title', 'one-in-title'])
  })

  it('counts each word once, by its best place, however often and in whatever form it is there', async () => {
    const often = {
      ...PLAIN,
      title: 'Ascensor nuevo',
      neighborhood: 'Elevador',
      description: 'Ascensores y elevadores',
    }
    await stock(exchange, owner, { ...often, external_id: 'often' }, { published_at: new Date(0) })
    await stock(exchange, owner, { ...PLAIN, title: 'Elevador nuevo', external_id: 'once' })
    expect(await relevant('elevador')).toEqual(['once', 'often'])
  })

  it('puts what is featured before what is relevant', async () => {
    const fields = { ...PLAIN, description: 'Berilo', external_id: 'featured' }
    await stock(exchange, owner, fields, { featured: true, published_at: new Date(0) })
    await stock(exchange, owner, { ...PLAIN, title: 'Berilo', external_id: 'plain' })
    expect(await relevant('berilo')).toEqual(['featured', 'plain'])
  })

  it('is newest first when the text is only of words without meaning', async () => {
    expect((await exchange.get('/properties?q=la&sort=relevance', viewer.key)).status).toBe(200)
    expect(await relevant('la')).toEqual(['articulo'])
  })
})

describe('422', () => {
  it.each([
    ['201 characters', 'a'.repeat(201)],
    ['10,000 characters', 'casa '.repeat(2000)],
    ['a NUL', 'ca\0sa'],
    ['nothing but a NUL', '\0'],
  ])('refuses %s', async (_what, q) => {
    const { status, body } = await exchange.get(`/properties?${new URLSearchParams({ q })}`, viewer.key)
    expect(status).toBe(422)
    expect(body.errors).toHaveLength(1)
    expect(body.errors[0]).toMatch(/^q /)
  })
})
