import { type Issue, issueSentence } from '../../src/lib/issue.ts'

/** As the API says them. */
export const sentences = (issues: readonly Issue[]): string[] => issues.map(one => issueSentence(one, 'en'))
