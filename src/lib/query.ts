import {
  checkNumber,
  type Field,
  type JsonSchema,
  numberSchema,
  type Range,
  type Reading,
  type ValueOf,
} from './fields.ts'
import { failInto, type Issue } from './issue.ts'
import { refuseIfAny } from './problem.ts'

/** A URL parameter: always text, and single unless declared otherwise. */
export interface Parameter<T> extends Field<T> {
  repeatable?: boolean
}
type Parameters = Record<string, Parameter<unknown>>
type QueryOf<P extends Parameters> = { [K in keyof P]?: ValueOf<P[K]> }

/** Empty is the same as absent, unknown names are ignored, and a repeated name is rejected rather than guessed. */
export function readQuery<P extends Parameters>(parameters: P, query: URLSearchParams): Reading<QueryOf<P>> {
  const issues: Issue[] = []
  const value: Record<string, unknown> = {}
  for (const [name, parameter] of Object.entries(parameters)) {
    const sent = query.getAll(name).filter(text => text !== '')
    const fail = failInto(issues, name, { sent: sent[0] })
    if (sent.length === 0) continue
    if (parameter.repeatable) value[name] = parameter.read(sent, fail)
    else if (sent.length > 1) fail('repeated')
    else value[name] = parameter.read(sent[0], fail)
  }
  return { value: value as QueryOf<P>, issues }
}

/** The values of the parameters, if all can be used. */
export function readOrRefuse<P extends Parameters>(parameters: P, query: URLSearchParams): QueryOf<P> {
  const { value, issues } = readQuery(parameters, query)
  refuseIfAny(issues)
  return value
}

export function querySchema(parameters: Parameters): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(parameters).map(([name, { schema }]) => [name, schema])),
  }
}

/** Plain decimal notation. Number() alone would accept " 5 ", 0x10, 1e3 and Infinity. */
export function numberParameter(range: Range): Parameter<number> {
  return {
    schema: numberSchema(range),
    read(value, fail) {
      if (typeof value !== 'string' || !/^-?\d+(\.\d+)?$/.test(value)) {
        return void fail(range.decimals === 0 ? 'not_an_integer' : 'not_a_number')
      }
      return checkNumber(Number(value), range, fail)
    },
  }
}

/** `true` or `false`. */
export const flagParameter: Parameter<boolean> = {
  schema: { type: 'boolean' },
  read: (value, fail) =>
    value === 'true' || value === 'false' ? value === 'true' : void fail('not_a_boolean'),
}

/** More than there are amenities. Each invalid value is reported, and strangers send thousands. */
export const MOST_VALUES = 100

/** Checks each value, repeated ones once; every invalid one is reported. */
export function repeated<T>(item: Field<T>): Parameter<T[]> {
  return {
    repeatable: true,
    schema: { type: 'array', items: item.schema },
    read(values, fail) {
      const sent = [...new Set(values as string[])]
      if (sent.length > MOST_VALUES)
        return void fail('too_many_items', { max: MOST_VALUES, sent: sent.length })
      return sent.map(value => item.read(value, fail.about(value))).filter(value => value !== undefined)
    },
  }
}

const INSTANT =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+\- ])(\d\d):?(\d\d)))?$/

/**
 * RFC 3339, or a date alone (midnight UTC). Date() would accept "1" and turn February 30 into March 2. An unencoded "+"
 * arrives as a space and is read as "+".
 */
export function parseInstant(text: string): Date | undefined {
  const match = INSTANT.exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(part => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const [, , , , , , , fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] = match
  const milliseconds = Number(fraction.padEnd(3, '0').slice(0, 3))
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second, milliseconds)
  const isReal =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60
  if (!isReal || year === 0 || Number(offsetHours) > 14 || Number(offsetMinutes) > 59) return undefined
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000
  return new Date(date.getTime() + (sign === '-' ? offset : -offset))
}

export const instant: Field<Date> = {
  schema: { type: 'string', format: 'date-time' },
  read: (value, fail) => parseInstant(String(value)) ?? void fail('not_a_time'),
}
