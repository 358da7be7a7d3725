import { foldText } from '../../lib/text.ts'
import { AMENITIES } from '../../lookups/amenities.ts'
import type { Operation, PropertyType, RentPeriod } from '../../lookups/catalog.ts'

/** Values by phrase: folded words joined with single spaces. */
type Phrases<T> = ReadonlyMap<string, T>

const phrases = <T extends string>(entries: Record<T, string>): Phrases<T> =>
  new Map(
    (Object.entries(entries) as [T, string][]).flatMap(([value, written]) =>
      written.split(',').map(phrase => [foldText(phrase), value] as const),
    ),
  )

export const OPERATION_PHRASES = phrases<Operation>({
  sale: `vta, venta, en venta, de venta, ventas, vender, vendo, vende, venden, se vende, se venden, compra, comprar, compro,
    en compra, para comprar, sale, for sale, buy, to buy, purchase`,
  rental: `renta, rentas, en renta, de renta, rentar, rento, se renta, se rentan, para rentar, alquiler, en alquiler, alquilar,
    rta, alquilo, se alquila, arriendo, arrendamiento, en arrendamiento, renta con opcion a compra, con opcion a compra, rent to own, rent, rental, rentals, for rent, to rent, lease, for lease, to let`,
})

export const PERIOD_PHRASES = phrases<RentPeriod>({
  monthly: `al mes, por mes, mensual, mensuales, mensualmente, / mes, a month, per month, monthly, / month, / mo, x mes, long term,
    long - term, largo plazo, a largo plazo`,
  weekly: 'a la semana, por semana, x semana, semanal, semanales, / semana, a week, per week, weekly, / week',
  daily: `al dia, por dia, x dia, por noche, x noche, la noche, diario, diarios, diaria, / noche, / dia, a night, per night, nightly, a day, per day, daily,
    / night, / day`,
  yearly: 'al ano, por ano, anual, anuales, / ano, a year, per year, yearly, / year',
})

export const TYPE_PHRASES = phrases<Exclude<PropertyType, 'other'>>({
  house: `casa, casas, casita, casa habitacion, casa sola, residencia, residencias, chalet, villa, duplex, town house, townhouse,
    townhouses, house, houses, home, homes, single family home`,
  apartment: `departamento, departamentos, depa, depas, depto, deptos, dpto, dptos, apartamento, apartamentos, apto, piso,
    loft, lofts, suite, flat, flats, apartment, apartments, apt, condo, condos, condominio, condominios, monoambiente, studio`,
  land: `terreno, terrenos, lote, lotes, predio, predios, solar, parcela, land, lot, lots, plot, plots`,
  office: `oficina, oficinas, despacho, despachos, consultorio, consultorios, office, offices, office space`,
  commercial: `local, locales, local comercial, locales comerciales, plaza comercial, tienda, comercio, shop, store, retail,
    retail space, commercial space, commercial, storefront`,
  warehouse: `bodega, bodegas, bodega industrial, bodegas industriales, nave, naves, nave industrial, naves industriales, warehouse,
    warehouses, almacen, galpon, industrial space`,
  ranch: `rancho, ranchos, quinta, quintas, hacienda, haciendas, finca, fincas, granja, huerta, ranch, ranches, farm, farms`,
  building: 'edificio, edificios, building, buildings',
})

/** Synonyms of amenities, besides their labels, English names and aliases. */
const MORE_AMENITY_NAMES: Record<string, string> = {
  Alberca: 'pool, swimming pool, albercas, piscinas',
  Jardín: 'jardines, yard, backyard',
  Terraza: 'terrazas, deck',
  'Roof garden': 'roof, rooftop, roof top, azotea',
  Gimnasio: 'gimnasios, gym',
  Garaje: 'garage, cocheras',
  'Mascotas permitidas':
    'acepta mascotas, acepte mascotas, aceptan mascotas, acepten mascotas, acepta perros, acepte perros, admite mascotas, pet friendly, petfriendly, pets, pets ok, pets allowed, mascotas, perro, perros, gato, gatos, dog, dogs, cat, cats',
  Amueblado: 'amueblados, amuebladas, amueblado, amueblar, muebles, con muebles, furnished',
  Elevador: 'elevadores, lift',
  'Frente a la playa': 'frente al mar, frente a playa, beachfront, ocean front, oceanfront, a pie de playa',
  'Vista al mar': 'vistas al mar, vista al oceano, sea view, ocean views',
  'Seguridad 24 horas':
    'seguridad, vigilancia, seguridad 24 h, seguridad 24/7, seguridad 24 / 7, vigilancia 24 / 7, security',
  'Aire acondicionado': 'clima, climas, aire, minisplits, ac, air conditioned',
  'Fraccionamiento privado': 'coto, en coto, en privada, fraccionamiento cerrado, gated, gated community',
  'Cuarto de servicio': 'cuarto de la muchacha, maid room, maids room',
  'Campo de golf': 'golf',
  'Cancha de pádel': 'padel',
  'Cancha de tenis': 'tenis, tennis',
  Asador: 'asadores, grill',
  'Panel solar': 'solar panels',
  Balcón: 'balcones, balcony',
  'Una sola planta': `un piso, un solo piso, 1 piso, una planta, 1 planta, un nivel, un solo nivel, 1 nivel, sin escaleras, one story,
    single story, one floor, one level, single level, no stairs`,
  'Acceso a la playa': `a una cuadra de la playa, a unas cuadras de la playa, a pasos de la playa, walk to beach, walk to the beach,
    steps from beach, steps from the beach, steps to the beach`,
}

/** Words for property types are not amenities here: "bodega" and "oficina" are what people look for. */
const isTypeWord = (phrase: string) => TYPE_PHRASES.has(phrase)

export const AMENITY_PHRASES: Phrases<string> = new Map(
  AMENITIES.flatMap(({ label, en, aliases }) =>
    [label, ...en.split('/'), ...aliases, ...(MORE_AMENITY_NAMES[label]?.split(',') ?? [])].map(
      name => [foldText(name), label] as const,
    ),
  ).filter(([phrase]) => !isTypeWord(phrase)),
)

/** Without "sin" or "no" before them. */
export const DENIED_PHRASES: Phrases<string> = phrases({
  'Mascotas permitidas': 'pets not allowed, mascotas no, mascotas no permitidas',
  Amueblado: 'unfurnished',
})

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Fewer than all of their type: the word itself is searched for too. */
export const NARROWER_TYPES = words(
  'loft lofts studio suite duplex townhouse townhouses chalet quinta quintas hacienda haciendas granja huerta',
)

export const BEDROOM_WORDS = words(
  'recamara recamaras rec recs rcamaras habitacion habitaciones cuarto cuartos dormitorio dormitorios alcoba alcobas bedroom bedrooms bed beds br bd bdr hab habs dorm dorms r',
)
export const BATHROOM_WORDS = words('bano banos bath baths bathroom bathrooms ba b')
export const PARKING_WORDS = words(
  `auto autos coche coches carro carros cajon cajones cochera cocheras garage garages garaje garajes estacionamiento estacionamientos
   lugares car cars parking est`,
)
/** In the plural: "2 piso" is where a flat is. */
export const FLOOR_WORDS = words('pisos niveles plantas floors stories story')

/** Connecting words without meaning. */
export const FILLERS = words(
  `a al con de del e el en la las lo los para por que un una unos unas y o u su sus se mi me es como cerca
   busco buscando buscamos quiero quisiera necesito ofrezco encuentro propiedad propiedades inmueble inmuebles anuncio anuncios
   ciudad col colonia colonias fracc fraccionamiento zona norte sur oriente poniente ubicado ubicada ubicados precio precios disponible disponibles
   aproximadamente aprox superficie c p s w x grande grandes chico chica pequeno pequena
   hola gracias saludos estoy estamos interesado interesada interesa busca buscar
   gustaria tengo tienen tienes hay algun alguna algunos preferencia preferentemente
   pero cada muy tambien solo sea sean tenga tengan tiene cuente cuenten cuenta incluya incluyan incluye permita permitan permite
   donde cuando este esta esten somos soy nos nuestra nuestro tipo estilo mes meses alcaldia delegacion
   the an and or in on at of with for near to looking want need i im property properties listing listings
   hello hi please thanks thank you show me find is are there any we my our that which has have having but also very some this from
   would like could can where month months year years style`,
)

/** One letter away from a known word, and no typos. */
export const NO_TYPOS = words(
  'banco close contado corto largo papeles prol rampa vale value mexicano american canadian',
)

/** Said for politeness; their words alone may mean something. */
export const COURTESIES: ReadonlySet<string> = new Set([
  'buenos dias',
  'buen dia',
  'buenas tardes',
  'buenas noches',
  'buenas',
  'por favor',
  'real estate',
  'a lot of',
  'lot of',
  'lots of',
  'en suite',
  'master suite',
])

export const CHEAP_WORDS = words(
  'barato barata baratos baratas economico economica economicos economicas cheap cheapest affordable',
)
