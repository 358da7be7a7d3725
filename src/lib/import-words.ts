import type { None, Phrases } from './i18n.ts'

/** Issues of files, rows and connections that are imported. */
export interface ImportParams {
  not_a_spreadsheet: None
  empty_spreadsheet: None
  too_many_rows: { max: number }
  too_many_columns: { max: number; row: number }
  cell_too_long: { row: number }
  too_many_imports: { max: number }
  import_running: None
  no_key_column: None
  chosen_twice: { column: string }
  row_repeated: { row: number }
  not_an_area: None
  price_too_low: None
  price_of_what: None
  unknown_type: { value: string }
  unknown_operation: { value: string }
  unknown_status: { value: string }
  not_yes_or_no: None
  too_many_sources: { max: number }
  source_unreachable: None
  source_answered: { code: number }
  source_unreadable: None
  source_key_refused: None
  broken_image: { url: string }
}

export const IMPORT_WORDS: Phrases<ImportParams> = {
  not_a_spreadsheet: {
    en: 'cannot be read: send a .csv file or an .xlsx workbook without a password',
    es: 'no se puede leer: envía un archivo .csv o un libro .xlsx sin contraseña',
  },
  empty_spreadsheet: {
    en: 'has no rows below a line with the names of its columns',
    es: 'no tiene filas debajo de una línea con los nombres de las columnas',
  },
  too_many_rows: {
    en: ({ max }) => `can have ${max} rows: split it into several files`,
    es: ({ max }) => `puede tener ${max} filas: divídelo en varios archivos`,
  },
  too_many_columns: {
    en: ({ max, row }) => `can have ${max} columns, and row ${row} has more`,
    es: ({ max, row }) => `puede tener ${max} columnas y la fila ${row} tiene más`,
  },
  cell_too_long: {
    en: ({ row }) => `has a cell in row ${row} that is too long`,
    es: ({ row }) => `tiene en la fila ${row} una celda demasiado larga`,
  },
  too_many_imports: {
    en: ({ max }) => `You can import ${max} times a day: continue tomorrow.`,
    es: ({ max }) => `Puedes importar ${max} veces al día: continúa mañana.`,
  },
  import_running: {
    en: 'Another import is not finished: wait for it, or cancel it.',
    es: 'Otra importación no ha terminado: espérala o cancélala.',
  },
  no_key_column: {
    en: 'Choose the column that identifies each listing: its code, reference or id.',
    es: 'Elige la columna que identifica cada propiedad: su clave, referencia o ID.',
  },
  chosen_twice: {
    en: ({ column }) => `is also chosen for “${column}”`,
    es: ({ column }) => `también está elegido para «${column}»`,
  },
  row_repeated: {
    en: ({ row }) => `is the same as in row ${row}: each listing needs its own`,
    es: ({ row }) => `es igual que en la fila ${row}: cada propiedad necesita la suya`,
  },
  not_an_area: {
    en: 'is not clearly an area: write square meters, such as 120 or 120.5 m²',
    es: 'no es claramente una superficie: escribe metros cuadrados, como 120 o 120.5 m²',
  },
  price_too_low: {
    en: 'is too low to be complete: write the whole amount, or say millions (1.8 MDP)',
    es: 'es demasiado bajo para estar completo: escribe la cantidad entera o di millones (1.8 MDP)',
  },
  price_of_what: {
    en: 'could be a sale or a rent: fill in the column of the operation',
    es: 'puede ser de venta o de renta: llena la columna de la operación',
  },
  unknown_type: {
    en: ({ value }) => `“${value}” is not a known type of property`,
    es: ({ value }) => `«${value}» no es un tipo de propiedad conocido`,
  },
  unknown_operation: {
    en: ({ value }) => `“${value}” is neither sale nor rent`,
    es: ({ value }) => `«${value}» no es venta ni renta`,
  },
  unknown_status: {
    en: ({ value }) => `“${value}” is not a known status`,
    es: ({ value }) => `«${value}» no es un estatus conocido`,
  },
  not_yes_or_no: { en: 'must be yes or no', es: 'debe ser sí o no' },
  too_many_sources: {
    en: ({ max }) => `An agent can have ${max} connections: remove one first.`,
    es: ({ max }) => `Puedes tener ${max} conexiones: quita una primero.`,
  },
  source_unreachable: {
    en: 'The server could not be reached, or took too long.',
    es: 'No se pudo llegar al servidor o tardó demasiado.',
  },
  source_answered: {
    en: ({ code }) => `The server answered with error ${code}.`,
    es: ({ code }) => `El servidor contestó con el error ${code}.`,
  },
  source_unreadable: {
    en: 'What the server sent is not a feed we can read.',
    es: 'Lo que envió el servidor no es un feed que podamos leer.',
  },
  broken_image: {
    en: ({ url }) => `“${url}” cannot be opened`,
    es: ({ url }) => `«${url}» no se puede abrir`,
  },
  source_key_refused: {
    en: 'EasyBroker does not accept the key.',
    es: 'EasyBroker no acepta la llave.',
  },
}
