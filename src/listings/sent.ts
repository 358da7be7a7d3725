import type { FastifyRequest } from 'fastify'
import { languageOf } from '../http/language.ts'
import { describe, oneOf, type Reading, readBody } from '../lib/fields.ts'
import { wordsIn } from '../lib/i18n.ts'
import { issueSentence } from '../lib/issue.ts'
import { readOrRefuse } from '../lib/query.ts'
import { type ListingPatch, writableFields } from './fields.ts'

export const featuresParameter = {
  unknown_features: describe(
    oneOf(['skip']),
    'skip: amenities that GET /meta does not list are left out and named in `warnings`, instead of rejected.',
    'skip',
  ),
}

/** A listing as the client sent it. Amenities that are skipped on request are named in the answer. */
export function readSentListing(
  request: FastifyRequest,
  body: unknown = request.body,
): Reading<ListingPatch> {
  const { unknown_features } = readOrRefuse(featuresParameter, request.query as URLSearchParams)
  const { value, issues } = readBody(writableFields, body)
  if (unknown_features === undefined) return { value, issues }
  const lang = languageOf(request)
  const skipped = issues.filter(issue => issue.code === 'unknown_amenity')
  const suffix = wordsIn(lang)('; se omitió', '; left out')
  request.warnings.push(...skipped.map(issue => issueSentence(issue, lang) + suffix))
  return { value, issues: issues.filter(issue => issue.code !== 'unknown_amenity') }
}
