import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Market } from '../../src/search/understand/reading.ts'
import { Spelling } from '../../src/search/understand/typos.ts'
import { understand } from '../../src/search/understand/understand.ts'

const PLACES = new Map([
  ['roma norte', 'Roma Norte'],
  ['cdmx', 'Ciudad de México'],
  ['monterrey', 'Monterrey'],
  ['tulum', 'Tulum'],
  ['centro', 'Centro'],
  ['campestre', 'Campestre'],
  ['baja', 'Baja California'],
  ['guadalajara', 'Guadalajara'],
  ['mexico', 'Estado de México'],
  ['morelos', 'Morelos'],
  ['queretaro', 'Querétaro'],
  ['qro', 'Querétaro'],
])
const BEGUN = new Map([
  ['roma', 'Roma'],
  ['san luis', 'San Luis'],
  ['villa de', 'Villa de'],
])
const MIDDLES: Record<string, { lat: number; lng: number; radiusKm: number }> = {
  Tulum: { lat: 20.2111, lng: -87.4654, radiusKm: 10 },
  'Centro, Guadalajara': { lat: 20.6767, lng: -103.3475, radiusKm: 3 },
}

const spelling = new Spelling()
for (const word of [...PLACES.keys(), 'departamento', 'alberca']) spelling.add(word, 100)

/** How many listings of a small market say each word. */
const SAID: Record<string, number> = { bonita: 50, tulun: 2, alverca: 6 }

const market: Market = {
  placeNamed: folded => PLACES.get(folded),
  placeStarting: folded => BEGUN.get(folded),
  sizeOf: place => ({ Centro: 0, 'Roma Norte': 0, 'Ciudad de México': 2, Querétaro: 2 })[place] ?? 1,
  isWithin: (inner, outer) =>
    (inner === 'Guadalajara' && outer === 'Tulum') || (inner === 'Tulum' && outer === 'Ciudad de México'),
  middleOf: place => MIDDLES[place],
  timesSaid: (folded, most) => Math.min(SAID[folded] ?? 0, most),
  correct: (folded, atLeast) => spelling.correct(folded, atLeast),
}
const read = (typed: string) => {
  const { parameters, text } = understand(typed, market)
  return [decodeURIComponent(parameters.toString()).replaceAll('+', ' '), text]
}

describe('what people type becomes filters', () => {
  it.each([
    ['casa en renta cdmx', 'type=house&operation=rental&place=Ciudad de México'],
    ['depa 2 recamaras roma norte', 'type=apartment&min_bedrooms=2&place=Roma Norte'],
    ['bodega monterrey', 'type=warehouse&place=Monterrey'],
    ['se vende terreno col. centro', 'operation=sale&type=land&place=Centro'],
    ['casas o departamentos en venta', 'type=house&type=apartment&operation=sale'],
    ['house with garden and pool', 'type=house&features=Jardín&features=Alberca'],
    ['condo for rent', 'type=apartment&operation=rental'],
    [
      'departamento con roof, gym y cochera techada',
      'type=apartment&features=Roof garden&features=Gimnasio&features=Estacionamiento techado',
    ],
    ['tres recámaras dos baños y medio', 'min_bedrooms=3&min_bathrooms=2'],
    ['al menos 2 baños', 'min_bathrooms=2'],
    ['más de 3 recámaras', 'min_bedrooms=4'],
    ['hasta 2 recámaras', 'max_bedrooms=2'],
    ['cochera para 2 autos', 'min_parking=2'],
    ['terreno barato tulum', 'type=land&sort=price_asc&place=Tulum'],
    ['casa cerca de tulum', 'type=house&lat=20.2111&lng=-87.4654&radius_km=10'],
    ['casa cerca del centro de guadalajara', 'type=house&lat=20.6767&lng=-103.3475&radius_km=3'],
    ['depa en roma', 'type=apartment&place=Roma'],
    ['casa en san luis', 'type=house&place=San Luis'],
    ['casas en queretaro, qro', 'type=house&place=Querétaro, Querétaro'],
    ['house for sale in mexico', 'type=house&operation=sale'],
    ['casa en renta o venta', 'type=house'],
    ['hola, buenas tardes, busco casa en tulum, gracias', 'type=house&place=Tulum'],
    ['roma norte, cdmx', 'place=Roma Norte, Ciudad de México'],
    ['casa en tulum centro', 'type=house&place=Centro, Tulum'],
    ['menos de 3 recámaras', 'max_bedrooms=2'],
    ['casa en baja', 'type=house&place=Baja California'],
    ['casa tulum norte', 'type=house&place=Tulum'],
    ['2 cajones de estacionamiento', 'min_parking=2'],
    ['casa con 2 cocheras', 'type=house&min_parking=2'],
    ['casa sin alberca ni jardín', 'type=house&exclude_features=Alberca&exclude_features=Jardín'],
    ['departamento no amueblado', 'type=apartment&exclude_features=Amueblado'],
    ['depa sin amueblar', 'type=apartment&exclude_features=Amueblado'],
    ['house without pool', 'type=house&exclude_features=Alberca'],
    ['casa que no tenga alberca', 'type=house&exclude_features=Alberca'],
    ['casa con o sin alberca', 'type=house'],
    ['casa amueblada o sin amueblar', 'type=house'],
    ['casa en renta con opción a compra', 'type=house&operation=rental'],
    ['depa en roma o tulum', 'type=apartment&place=Roma o Tulum'],
    [
      'depa en roma norte, centro o tulum, cdmx',
      'type=apartment&place=Roma Norte o Centro o Tulum, Ciudad de México',
    ],
    ['casa en tulum y guadalajara', 'type=house&place=Tulum o Guadalajara'],
    ['casa en tulum / guadalajara', 'type=house&place=Tulum o Guadalajara'],
    ['casa en tulum y/o guadalajara', 'type=house&place=Tulum o Guadalajara'],
    ['casa en tulum o en guadalajara', 'type=house&place=Tulum o Guadalajara'],
    ['casa en tulum o la colonia centro', 'type=house&place=Tulum o Centro'],
    ['casa en centro, cdmx o tulum', 'type=house&place=Centro, Ciudad de México o Tulum'],
    [
      'casa en tulum, qro o guadalajara, cdmx',
      'type=house&place=Tulum o Guadalajara, Querétaro o Ciudad de México',
    ],
    ['house in tulum or guadalajara', 'type=house&place=Tulum or Guadalajara'],
    ['casa en tulum o tulum', 'type=house&place=Tulum'],
    ['casa en tulum o rancho', 'type=house&place=Tulum&type=ranch'],
    ['terreno de media hectárea', 'type=land&min_lot=5000'],
    ['casa ciudad guadalajara', 'type=house&place=Guadalajara'],
    ['2 baños y 1/2', 'min_bathrooms=2'],
    ['2-3 recámaras', 'min_bedrooms=2&max_bedrooms=3'],
    ['de 2 a 3 recámaras', 'min_bedrooms=2&max_bedrooms=3'],
    ['depa 1 o 2 recamaras', 'type=apartment&min_bedrooms=1&max_bedrooms=2'],
    ['3 recámaras y 2 baños', 'min_bedrooms=3&min_bathrooms=2'],
    ['1 1/2 baños', 'min_bathrooms=1'],
    ['depa no se permiten mascotas', 'type=apartment&exclude_features=Mascotas permitidas'],
    ['condo, pets not allowed', 'type=apartment&exclude_features=Mascotas permitidas'],
    ['depa, tengo un perro', 'type=apartment&features=Mascotas permitidas'],
    ['unfurnished apartment', 'exclude_features=Amueblado&type=apartment'],
    ['depa sin estacionamiento', 'type=apartment&max_parking=0'],
    ['casa sin cochera', 'type=house&max_parking=0'],
    ['sin lugar de estacionamiento', 'max_parking=0'],
    ['no necesito estacionamiento', ''],
    ['casa s/muebles', 'type=house&exclude_features=Amueblado'],
    ['house without pool or garden', 'type=house&exclude_features=Alberca&exclude_features=Jardín'],
    ['casa en cdmx menos tulum', 'type=house&place=Ciudad de México'],
    ['casa, no departamentos', 'type=house'],
    ['casa en cdmx, ni en tulum ni en monterrey', 'type=house&place=Ciudad de México'],
    ['casa que no esté en tulum', 'type=house'],
    ['casa que no sea de dos pisos', 'type=house'],
    ['depa, no tengo mascotas', 'type=apartment'],
    ["apartment, I don't have pets", 'type=apartment'],
    ['no es necesario estacionamiento', ''],
    ['a lot of 500 m2', 'type=land&min_lot=500'],
    ['depa por mes o por semana', 'type=apartment&operation=rental'],
    ['weekly rental', 'operation=rental&rent_period=weekly'],
    ['casa mínimo 100 m2 máximo 200 m2', 'type=house&min_construction=100&max_construction=200'],
    ['terreno 5,000 usd', 'type=land&max_price=5000&currency=USD'],
    ['no más de 2 baños ni más de 3 recámaras', 'max_bathrooms=2&max_bedrooms=3'],
    ['depa $50 usd a night', 'type=apartment&max_price=50&currency=USD&operation=rental&rent_period=daily'],
    ['long-term rental', 'operation=rental&rent_period=monthly'],
    ['depa en tulum, monterrey', 'type=apartment&place=Tulum o Monterrey'],
    ['casa en guadalajara, tulum', 'type=house&place=Guadalajara, Tulum'],
    ['depa con estacionamiento', 'type=apartment&min_parking=1'],
    ['casa con alberca pero sin jardín', 'type=house&features=Alberca&exclude_features=Jardín'],
    ['depa con terraza privada', 'type=apartment&features=Terraza'],
    ['casa en un solo piso', 'type=house&features=Una sola planta'],
    ['casa que cuente con alberca', 'type=house&features=Alberca'],
    ['casa en sn luis', 'type=house&place=San Luis'],
    ['depa alcaldía tulum', 'type=apartment&place=Tulum, Ciudad de México'],
    ['depa alcaldía tulum, cdmx', 'type=apartment&place=Tulum, Ciudad de México'],
  ])('%s', (typed, parameters) => {
    expect(read(typed)).toEqual([parameters, ''])
  })
})

describe('prices and areas are read as people write them', () => {
  it.each([
    ['menos de 3 millones', 'max_price=3000000&operation=sale'],
    ['casa 2.5 mdp', 'type=house&max_price=2500000&operation=sale'],
    ['entre 2 y 3 millones', 'min_price=2000000&max_price=3000000&operation=sale'],
    ['de 10 a 15 mil', 'min_price=10000&max_price=15000&operation=rental&rent_period=monthly'],
    ['15 mil al mes', 'max_price=15000&operation=rental&rent_period=monthly'],
    ['renta 20000 mensual', 'operation=rental&max_price=20000&rent_period=monthly'],
    ["hasta $1'250,000", 'max_price=1250000&operation=sale'],
    ['más de 800 mil pesos', 'min_price=800000&currency=MXN&operation=sale'],
    ['under 300k usd', 'max_price=300000&currency=USD&operation=sale'],
    ['1,500 usd', 'max_price=1500&currency=USD&operation=rental&rent_period=monthly'],
    ['terreno en 300 mil pesos', 'type=land&max_price=300000&currency=MXN&operation=sale'],
    ['casa de 200 m2', 'type=house&min_construction=200'],
    ['casa 300 m² de terreno', 'type=house&min_lot=300'],
    ['terreno de más de 500 metros', 'type=land&min_lot=500'],
    ['rancho 2 hectáreas', 'type=ranch&min_lot=20000'],
    ['depa de 80 a 100 m2', 'type=apartment&min_construction=80&max_construction=100'],
    ['terreno entre 200 y 300 m2', 'type=land&min_lot=200&max_lot=300'],
    ['terreno 10x20', 'type=land&min_lot=200'],
    ['terreno de 8 x 15 metros', 'type=land&min_lot=120'],
    ['terreno 10 m x 20 m', 'type=land&min_lot=200'],
    ['terreno 10X20', 'type=land&min_lot=200'],
    ['casa 120 m2 por 5 millones', 'type=house&min_construction=120&max_price=5000000&operation=sale'],
    ['casa 3m de 3 recamaras', 'type=house&max_price=3000000&min_bedrooms=3&operation=sale'],
    ['casa 3rec-2ba-2mdp', 'type=house&min_bedrooms=3&min_bathrooms=2&max_price=2000000&operation=sale'],
    ['hasta medio millón', 'max_price=500000&operation=sale'],
    ['ciento cincuenta mil pesos', 'max_price=150000&currency=MXN'],
    ['dos millones doscientos cincuenta mil', 'max_price=2250000&operation=sale'],
    ['cuarenta y cinco mil al mes', 'max_price=45000&operation=rental&rent_period=monthly'],
    ['usd 300k - 500k', 'min_price=300000&max_price=500000&currency=USD&operation=sale'],
    ['8.2 mdp', 'max_price=8200000&operation=sale'],
    ['2.01 millones', 'max_price=2010000&operation=sale'],
    ['entre 1.1 y 2.2 millones', 'min_price=1100000&max_price=2200000&operation=sale'],
    ['3.250 millones', 'max_price=3250000&operation=sale'],
    ['1000000 a 2000000', 'min_price=1000000&max_price=2000000&operation=sale'],
    ['1 millon 200 mil', 'max_price=1200000&operation=sale'],
    ['hasta 2 millones 300 mil pesos', 'max_price=2300000&currency=MXN&operation=sale'],
    ['dos millones y medio', 'max_price=2500000&operation=sale'],
    ['casa de millón y medio', 'type=house&max_price=1500000&operation=sale'],
    ['2 y medio millones', 'max_price=2500000&operation=sale'],
    ['renta de quince mil', 'operation=rental&max_price=15000&rent_period=monthly'],
    ['10 a 15 mil', 'min_price=10000&max_price=15000&operation=rental&rent_period=monthly'],
    ['renta 10,000 a 15,000', 'operation=rental&min_price=10000&max_price=15000&rent_period=monthly'],
    ['de 8000 a 9500 al mes', 'min_price=8000&max_price=9500&operation=rental&rent_period=monthly'],
    ['depa en renta 8000', 'type=apartment&operation=rental&max_price=8000&rent_period=monthly'],
    ['depa 8500 al mes', 'type=apartment&max_price=8500&operation=rental&rent_period=monthly'],
    ['depa hasta 9000', 'type=apartment&max_price=9000&operation=rental&rent_period=monthly'],
    ['renta 500 dolares', 'operation=rental&max_price=500&currency=USD&rent_period=monthly'],
    ['usd 300k', 'max_price=300000&currency=USD&operation=sale'],
    ['casa en dólares', 'type=house&currency=USD'],
    ['casa no mayor a 3 millones', 'type=house&max_price=3000000&operation=sale'],
    ['depa no arriba de 10 mil', 'type=apartment&max_price=10000&operation=rental&rent_period=monthly'],
    ['casa que no cueste más de 2 millones', 'type=house&max_price=2000000&operation=sale'],
    ['que no pase de 2 millones', 'max_price=2000000&operation=sale'],
    ['house not more than 2 million', 'type=house&max_price=2000000&operation=sale'],
    ['no menos de 3 recámaras', 'min_bedrooms=3'],
    ['no quiero gastar más de 3 millones', 'max_price=3000000&operation=sale'],
    ["I don't want to spend more than 200k usd", 'max_price=200000&currency=USD&operation=sale'],
    ['nothing over 3 million pesos', 'max_price=3000000&currency=MXN&operation=sale'],
    ['que no baje de 3 recámaras', 'min_bedrooms=3'],
    ['arriba de los 5 millones', 'min_price=5000000&operation=sale'],
    ['2 millones en adelante', 'min_price=2000000&operation=sale'],
    ['25 mil máximo', 'max_price=25000&operation=rental&rent_period=monthly'],
    ['2 recámaras como mínimo', 'min_bedrooms=2'],
    ['2 recámaras máximo 3 millones', 'min_bedrooms=2&max_price=3000000&operation=sale'],
    ['2/3 recámaras', 'min_bedrooms=2&max_bedrooms=3'],
    ['terreno 3/4 hectárea', 'type=land&min_lot=7500'],
    ['depa de 100 m² a 150 m²', 'type=apartment&min_construction=100&max_construction=150'],
    ['under a million pesos', 'max_price=1000000&currency=MXN&operation=sale'],
    ['2 o 3 millones', 'min_price=2000000&max_price=3000000&operation=sale'],
    ['parking for 2 cars', 'min_parking=2'],
    ['cochera para 3', 'min_parking=3'],
    ['entre 5 y 3 millones', 'min_price=3000000&max_price=5000000&operation=sale'],
    ['casa .5 millones', 'type=house&max_price=500000&operation=sale'],
    ['casa 4 500 000', 'type=house&max_price=4500000&operation=sale'],
    ['3 mil 500 mensuales', 'max_price=3500&operation=rental&rent_period=monthly'],
    ['un millón doscientos', 'max_price=1200000&operation=sale'],
    ['casa 2 millones 300 m2', 'type=house&max_price=2000000&min_construction=300&operation=sale'],
    ['terreno de 1/2 hectárea', 'type=land&min_lot=5000'],
    ['terreno de 5 mil metros', 'type=land&min_lot=5000'],
    ['terreno mil metros', 'type=land&min_lot=1000'],
    ['casa 120 m2 construidos en 200 m2', 'type=house&min_construction=120&min_lot=200'],
    ['casa 250 de construcción', 'type=house&min_construction=250'],
    ['house 1500 sq ft', 'type=house&min_construction=139'],
    ['land 2 acres', 'type=land&min_lot=8094'],
    ['lote de 10 por 30', 'type=land&min_lot=300'],
    ['casa 3/2.5', 'type=house&min_bedrooms=3&min_bathrooms=2'],
    ['casa 3r 2b 2est', 'type=house&min_bedrooms=3&min_bathrooms=2&min_parking=2'],
    ['casa de dos pisos', 'type=house&min_floors=2&max_floors=2'],
    ['depa 700 por noche', 'type=apartment&max_price=700&operation=rental&rent_period=daily'],
    ['depa por semana', 'type=apartment&operation=rental&rent_period=weekly'],
    ['long term rental', 'operation=rental&rent_period=monthly'],
  ])('%s', (typed, parameters) => {
    expect(read(typed)).toEqual([parameters, ''])
  })
})

describe('what is near a place', () => {
  it.each([
    ['casa cerca de tulum', 'Tulum'],
    ['cerca del centro de guadalajara', 'Centro, Guadalajara'],
    ['casa en tulum', undefined],
  ])('%s names it', (typed, near) => {
    expect(understand(typed, market).near).toBe(near)
  })
})

describe('what is not understood', () => {
  it('stays text', () => {
    expect(read('casa bonita xyzzy')).toEqual(['type=house', 'bonita xyzzy'])
  })

  it('stays text when it is a common word that also names a place, unless "en" comes before it', () => {
    expect(read('terreno campestre')).toEqual(['type=land', 'campestre'])
    expect(read('planta baja')).toEqual(['', 'planta baja'])
  })

  it.each([
    ['casa cp 45019', 'type=house', 'cp 45019'],
    ['LON-12345', '', 'LON 12345'],
    ['calle 60 x 35', '', 'calle 60 35'],
    ['calle 10 b', '', 'calle 10 b'],
    ['lote 5 - 200 m2', 'type=land&min_lot=200', '5'],
    ['casa en terreno de 10x20', 'type=house&min_lot=200', 'terreno'],
    ['casa con terreno de 500 metros', 'type=house&min_lot=500', 'terreno'],
  ])('“%s”: a code or an address is neither a price nor a number of rooms', (typed, parameters, text) => {
    expect(read(typed)).toEqual([parameters, text])
  })

  it.each([
    ['casa a 5 m de la playa', 'type=house', 'playa'],
    ['casa a 500 metros de la playa', 'type=house', 'playa'],
    ['casa con jardín de 300 m2', 'type=house&features=Jardín', ''],
    ['casa con terraza 120 m2', 'type=house&features=Terraza&min_construction=120', ''],
    ['terreno 10 m de frente', 'type=land', ''],
  ])('“%s”: a distance or a part of a home is not its area', (typed, parameters, text) => {
    expect(read(typed)).toEqual([parameters, text])
  })

  it.each([
    ['terreno $1,500 el m2', 'type=land', ''],
    ['depa en venta, mantenimiento 1,500 mensuales', 'type=apartment&operation=sale', 'mantenimiento'],
    ['casa en venta con predial al día', 'type=house&operation=sale', 'predial día'],
    ['terreno para inversión a largo plazo', 'type=land', 'inversión largo plazo'],
    ['casa por semana santa', 'type=house', 'semana santa'],
  ])('“%s”: a fee, the price of a meter and a term are not those of a rent', (typed, parameters, text) => {
    expect(read(typed)).toEqual([parameters, text])
  })

  it('is a price, and of a rent by the month, when "sin" or another word is between it and the fee', () => {
    expect(read('sin depósito 8,000 al mes')[0]).toBe('max_price=8000&operation=rental&rent_period=monthly')
    expect(read('predial pagado 3 millones')[0]).toBe('max_price=3000000&operation=sale')
    expect(read('renta 10,000 por 12 meses')[0]).toBe('operation=rental&max_price=10000&rent_period=monthly')
    expect(read('renta $9,500 metro portales')[0]).toBe('operation=rental&max_price=9500&rent_period=monthly')
  })

  it('stays whole: a word may have digits, and a digit may be of another script', () => {
    expect(read('torre B12')).toEqual(['', 'torre B12'])
    expect(read('casa Ⅱ')).toEqual(['type=house', 'Ⅱ'])
  })

  it('stays text when it is such a word after "y", and is a place after "o"', () => {
    const withVista = {
      ...market,
      placeStarting: (folded: string) => (folded === 'vista' ? 'Vista' : undefined),
    }
    expect(understand('casa en tulum y vista', withVista).parameters.get('place')).toBe('Tulum')
    expect(understand('casa en tulum o vista', withVista).parameters.get('place')).toBe('Tulum o Vista')
  })

  it('stays text when "cerca del" comes before it and it is not a place', () => {
    const withDelMar = {
      ...market,
      placeNamed: (folded: string) => (folded === 'del mar' ? 'Del Mar' : undefined),
    }
    expect(understand('casa cerca del mar', withDelMar).text).toBe('mar')
    expect(understand('casa en del mar', withDelMar).parameters.get('place')).toBe('Del Mar')
  })

  it('stays text, and the place is the next word, when a common word comes before a place', () => {
    const withNuevo = {
      ...market,
      placeStarting: (folded: string) => (folded === 'nuevo' ? 'Nuevo' : undefined),
    }
    expect(understand('casa en nuevo tulum', withNuevo).parameters.get('place')).toBe('Tulum')
    expect(understand('casa en nuevo', withNuevo).parameters.get('place')).toBe('Nuevo')
  })

  it('stays text with the rest of its name', () => {
    expect(read('puerto morelos')).toEqual(['', 'puerto morelos'])
    expect(read('villa de lujo')).toEqual(['type=house', 'lujo'])
  })

  it('leaves a second kind that only describes the first', () => {
    expect(read('casa con terreno')).toEqual(['type=house', 'terreno'])
    expect(read('bodega con recepción y oficina')).toEqual(['type=warehouse', 'recepción oficina'])
  })

  it('has the word for a narrower kind too', () => {
    expect(read('loft en renta')).toEqual(['type=apartment&operation=rental', 'loft'])
    expect(read('depa tipo loft')).toEqual(['type=apartment', 'loft'])
  })

  it('is corrected when no listing says it and a known word is close', () => {
    const { parameters, corrections } = understand('depratamento en guadalajra', market)
    expect([parameters.get('type'), parameters.get('place')]).toEqual(['apartment', 'Guadalajara'])
    expect(corrections).toEqual([
      { from: 'depratamento', to: 'departamento' },
      { from: 'guadalajra', to: 'guadalajara' },
    ])
  })

  it('is corrected when almost no listing says it and many say the known word', () => {
    expect(understand('casa en tulun', market).corrections).toEqual([{ from: 'tulun', to: 'tulum' }])
    expect(understand('casa con alverca', market).corrections).toEqual([])
  })

  it('is never corrected when listings say it, nor when it is a number', () => {
    expect(understand('bonita 2027', market).corrections).toEqual([])
  })

  it.each(['', '   ', '$', '- - -', '😀', '%%%', 'de la', '\u0000', '9'.repeat(400), 'a '.repeat(400)])(
    'of %j makes no error',
    typed => {
      expect(() => understand(typed, market)).not.toThrow()
    },
  )

  it('of any words in any order makes no error, and each piece is of the text', () => {
    const words =
      `casa o con sin en cerca de entre y a hasta más menos 2 3.5 15 2,000,000 $ - / mil millones m2 m hectáreas pesos
      usd al mes mensual recámaras baños medio autos cochera para tulum roma norte barato alberca bonita renta`.split(
        /\s+/,
      )
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 8 }), typed => {
        const text = typed.join(' ')
        for (const piece of understand(text, market).pieces) expect(text).toContain(piece.text)
      }),
      { numRuns: 3_000 },
    )
  })
})
