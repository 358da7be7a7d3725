import type { Quantiles } from './random.ts'

/**
 * Sizes in m² and prices per m². The tables of apartments, houses and shops are quantiles of 23,140 sale
 * listings of Properati, about 2015 to 2017 (aggregates only); PRICE_GROWTH brings them up to date. All others
 * are our own estimates in current pesos, for a place where `level` is 1.
 */
const AT = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99] as const
const table = (...values: number[]): Quantiles => ({ at: AT, values })

export const PRICE_GROWTH = { MXN: 2, USD: 1.1 } as const

/** Pesos per dollar, for tables in pesos only. */
export const PESOS_PER_DOLLAR = 18.5

export const CALIBRATED = {
  apartment: {
    MXN: {
      m2: table(48, 52, 62, 78, 106, 171, 250, 570),
      price_per_m2: table(7768, 9466, 13220, 21250, 35115, 48082, 57430, 86364),
    },
    USD: {
      m2: table(60, 74, 107, 177, 280, 425, 500, 800),
      price_per_m2: table(1322, 1566, 2000, 2790, 4216, 5857, 6875, 8500),
    },
  },
  house: {
    MXN: {
      m2: table(80, 95, 148, 220, 341, 510, 694, 1105),
      price_per_m2: table(5778, 7437, 10150, 14467, 21818, 32594, 40541, 65000),
    },
    USD: {
      m2: table(120, 157, 260, 450, 680, 1000, 1260, 2000),
      price_per_m2: table(891, 1062, 1477, 2040, 3043, 4265, 5512, 8625),
    },
  },
  commercial: {
    MXN: {
      m2: table(20, 30, 60, 180, 355, 700, 1050, 4957),
      price_per_m2: table(3664, 5664, 8325, 13944, 28750, 46078, 63897, 144433),
    },
  },
} as const

export const ESTIMATED = {
  land: {
    m2: table(105, 120, 160, 240, 500, 1200, 3000, 20000),
    price_per_m2: table(900, 1400, 2500, 4500, 8000, 14000, 20000, 32000),
  },
  office: {
    m2: table(22, 32, 55, 110, 240, 500, 800, 1800),
    price_per_m2: table(16000, 19000, 26000, 36000, 48000, 60000, 70000, 90000),
  },
  warehouse: {
    m2: table(150, 220, 450, 1000, 2500, 5000, 8000, 15000),
    price_per_m2: table(5500, 6500, 8500, 11000, 14000, 18000, 22000, 27000),
  },
  building: {
    m2: table(250, 320, 480, 800, 1500, 3000, 4500, 9000),
    price_per_m2: table(9000, 11000, 15000, 21000, 29000, 38000, 45000, 60000),
  },
  ranch: {
    m2: table(2000, 5000, 12000, 40000, 150000, 500000, 900000, 2500000),
    /** Rises with wealth; figures.ts lowers it for large lots. */
    price_per_m2: table(60, 90, 160, 300, 600, 1100, 1600, 2500),
  },
} as const

/** Price level of a state; Ciudad de México and the expensive beaches are around 1. Our own estimate. */
export const PRICE_LEVEL: Readonly<Record<string, number>> = {
  'Ciudad de México': 1.1,
  'Nuevo León': 0.95,
  'Quintana Roo': 0.95,
  'Baja California Sur': 0.95,
  'Baja California': 0.85,
  Jalisco: 0.85,
  Nayarit: 0.8,
  Querétaro: 0.75,
  'Estado de México': 0.75,
  Yucatán: 0.72,
  Puebla: 0.65,
  Morelos: 0.65,
  Guanajuato: 0.62,
  Sinaloa: 0.62,
  Sonora: 0.6,
  'San Luis Potosí': 0.58,
  Chihuahua: 0.58,
  Coahuila: 0.58,
  Aguascalientes: 0.58,
  Colima: 0.57,
  Guerrero: 0.57,
  Oaxaca: 0.56,
  Michoacán: 0.54,
  Veracruz: 0.54,
  Hidalgo: 0.54,
  Tamaulipas: 0.52,
  Tabasco: 0.52,
  Chiapas: 0.5,
  Campeche: 0.5,
  Durango: 0.48,
  Zacatecas: 0.47,
  Tlaxcala: 0.47,
}
