import type { FormatName } from '../rules.ts'
import { csv } from './csv.ts'
import type { Format } from './format.ts'
import { json } from './json.ts'
import { ndjson } from './ndjson.ts'

const FORMATS: Record<FormatName, Format> = { json, ndjson, csv }

export const formatOf = (name: FormatName): Format => FORMATS[name]
