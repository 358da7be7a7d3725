import type { FormatName } from '../rules.ts'
import { csv } from './csv.ts'
import type { Format } from './format.ts'
import { json } from './json.ts'
import { meta } from './meta.ts'
import { ndjson } from './ndjson.ts'
import { rss } from './rss.ts'
import { trovit } from './trovit.ts'

const FORMATS: Record<FormatName, Format> = { json, ndjson, csv, rss, trovit, meta }

export const formatOf = (name: FormatName): Format => FORMATS[name]
