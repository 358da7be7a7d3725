import { describe, expect, it } from 'vitest'
import { findHeader, recognizeColumns } from '../../src/imports/columns.ts'
import { readRow } from '../../src/imports/row.ts'
import { readArea, readCount, readPrice, readType } from '../../src/imports/values.ts'

const targets = (headers: string[], remembered = {}) =>
  recognizeColumns(headers, remembered).map(({ target }) => target)

describe('columns', () => {
  it.each([
    ['Recámaras', 'bedrooms'],
    ['RECAMARAS *', 'bedrooms'],
    ['Precio venta', 'sale_price'],
    ['Precio de Venta (MXN)', 'sale_price'],
    ['Renta mensual', 'rent_price'],
    ['Colonia', 'neighborhood'],
    ['M2 de construcción', 'construction_m2'],
    ['Terreno (m²)', 'lot_m2'],
    ['Foto 3', 'images'],
    ['Alberca', 'amenity'],
    ['ID', 'external_id'],
    ['Bedrooms', 'bedrooms'],
    ['sale_price', 'sale_price'],
    ['Estado', 'state'],
    ['Nombre del dueño', null],
    ['Teléfono del propietario', null],
    ['', null],
  ])('%j is %s', (header, target) => {
    expect(targets([header])).toEqual([target])
  })

  it('are given once, except those that several columns can fill', () => {
    expect(targets(['Precio', 'Monto', 'Foto 1', 'Foto 2'])).toEqual(['price', null, 'images', 'images'])
  })

  it('follow what the agent chose the last time', () => {
    const remembered = { 'nombre del dueno': 'internal_id', colonia: '' }
    expect(targets(['Nombre del dueño', 'COLONIA'], remembered)).toEqual(['internal_id', null])
  })

  it('are found below titles and empty lines', () => {
    const rows = [['Inventario 2026'], [], ['Clave', 'Precio', 'Colonia'], ['A-1', '1', 'Centro']]
    expect(findHeader(rows)).toBe(2)
    expect(findHeader([[], ['x', 'y'], ['1', '2']])).toBe(1)
  })
})

describe('a price', () => {
  it.each([
    ['1.8 MDP', { amount: 1_800_000, currency: 'MXN' }],
    ['$1.8 mdp', { amount: 1_800_000, currency: 'MXN' }],
    ['2 millones', { amount: 2_000_000 }],
    ['2.35 millones de pesos', { amount: 2_350_000, currency: 'MXN' }],
    ['850 mil', { amount: 850_000 }],
    ['1.2 MDD', { amount: 1_200_000, currency: 'USD' }],
    ['$12,500 + mant.', { amount: 12_500 }],
    ['$12,500.00 MXN más IVA', { amount: 12_500, currency: 'MXN' }],
    ['12,500 mensuales + mantenimiento', { amount: 12_500, period: 'monthly' }],
    ['$1,500 por noche', { amount: 1_500, period: 'daily' }],
    ["1'250,000 M.N.", { amount: 1_250_000, currency: 'MXN' }],
    ['250,000 dlls', { amount: 250_000, currency: 'USD' }],
    ['4500000', { amount: 4_500_000 }],
  ])('%j is read', (written, price) => {
    expect(readPrice(written)).toEqual(price)
  })

  it.each([
    '1.8 M',
    '1,8 MDP',
    '1.800.000',
    '1.2 - 1.5 MDP',
    'desde 1,200,000',
    '$2,500 por m2',
    '1.8 MDP USD',
    'Consultar',
    '12,50',
    '3,500,000 / 15,000',
    '12,500 mensuales por noche',
  ])('%j is not guessed', written => {
    expect(readPrice(written)).toBeUndefined()
  })
})

describe('values', () => {
  it.each([
    ['3', 3],
    ['3 recámaras', 3],
    ['2.5 baños', 2.5],
    ['Dos', 2],
    ['3+1', undefined],
    ['varias', undefined],
  ])('a number of rooms: %j', (written, number) => expect(readCount(written)).toBe(number))

  it.each([
    ['120', 120],
    ['1,200.5 m²', 1_200.5],
    ['350 mts2', 350],
    ['1.5 ha', 15_000],
    ['2 hectáreas', 20_000],
    ['10x20', undefined],
    ['120,5', undefined],
    ['300 ft2', undefined],
  ])('an area: %j', (written, number) => expect(readArea(written)).toBe(number))

  it.each([
    ['Depto.', 'apartment'],
    ['CASA EN CONDOMINIO', 'house'],
    ['Nave industrial', 'warehouse'],
    ['Penthouse', 'apartment'],
    ['Castillo', undefined],
  ])('a type: %j', (written, type) => expect(readType(written)).toBe(type))
})

describe('a row', () => {
  const read = (row: Record<string, string>) =>
    readRow(Object.values(row), recognizeColumns(Object.keys(row)))

  it('is read with everything as people write it', () => {
    const { externalId, sent, status, notes } = read({
      Clave: ' 1042 ',
      Título: 'Casa con jardín',
      Tipo: 'Casa sola',
      Operación: 'Venta',
      Precio: '1.8 MDP',
      Estatus: 'Disponible',
      Ciudad: 'Guadalajara, Jal.',
      Colonia: 'Providencia',
      CP: '6700',
      Recámaras: '3 rec',
      Terreno: '0',
      Coordenadas: '20.6911, -103.3782',
      Amenidades: 'Piscina; Jardín / Helipuerto',
      Terraza: 'Sí',
      'Foto 1': 'https://fotos.example/1.jpg, https://fotos.example/2.jpg',
      'Foto 2': 'https://fotos.example/3.jpg',
      Baños: 'N/A',
    })
    expect(sent.issues).toEqual([])
    expect([externalId, status]).toEqual(['1042', 'published'])
    expect(sent.value).toEqual({
      title: 'Casa con jardín',
      property_type: 'house',
      sale_price: { amount: 1_800_000 },
      sale_currency: 'MXN',
      city: 'Guadalajara',
      state: 'Jalisco',
      neighborhood: 'Providencia',
      postal_code: '06700',
      bedrooms: 3,
      lat: 20.6911,
      lng: -103.3782,
      features: ['Alberca', 'Jardín', 'Terraza'],
      images: ['https://fotos.example/1.jpg', 'https://fotos.example/2.jpg', 'https://fotos.example/3.jpg'],
    })
    expect(notes).toMatchObject([
      { field: 'features', code: 'unknown_amenity', params: { value: 'Helipuerto' } },
    ])
  })

  it.each<[string, Record<string, string>, string, string]>([
    ['a price without operation', { Precio: '4,500,000' }, 'price', 'price_of_what'],
    [
      'one price for both operations',
      { Precio: '1 mdp', Operación: 'Venta y renta' },
      'price',
      'price_of_what',
    ],
    ['a price that lacks its zeros', { 'Precio venta': '4.5' }, 'sale_price', 'price_too_low'],
    ['an unclear price', { 'Precio venta': 'Consultar' }, 'sale_price', 'not_a_price'],
    ['two currencies', { 'Precio venta': '90,000 USD', Moneda: 'Pesos' }, 'sale_price', 'currency_mismatch'],
    ['an unknown state', { Estado: 'Aztlán' }, 'state', 'unknown_state'],
    ['an unknown type', { Tipo: 'Castillo' }, 'property_type', 'unknown_type'],
    ['half a point', { Coordenadas: '20.69' }, 'coordinates', 'not_a_number'],
    ['an unclear status', { Estatus: 'Quién sabe' }, 'status', 'unknown_status'],
    ['no code', { Clave: 'N/A' }, 'external_id', 'required'],
  ])('with %s is refused, naming the column', (_what, row, field, code) => {
    expect(read({ Clave: 'A-1', ...row }).sent.issues).toMatchObject([{ field, code }])
  })

  it('takes currency and unit from the header of a price', () => {
    const { sent } = read({ Clave: 'A-1', 'Precio venta (MDP)': '4.5', 'Renta (USD)': '1,800' })
    expect(sent.value).toMatchObject({
      sale_price: { amount: 4_500_000 },
      sale_currency: 'MXN',
      rent_price: { amount: 1_800 },
      rent_currency: 'USD',
    })
  })

  it('offers a title from what it says, and takes the municipality for the city', () => {
    const row = {
      Clave: 'A-1',
      Tipo: 'Depto',
      'Precio renta': '12,500',
      Municipio: 'Zapopan',
      Colonia: 'Chapalita',
    }
    const { title, sent } = read(row)
    expect(title).toBe('Departamento en renta en Chapalita, Zapopan')
    expect(sent.value.city).toBe('Zapopan')
  })
})
