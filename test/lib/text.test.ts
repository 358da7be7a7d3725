import { expect, it } from 'vitest'
import { likePattern } from '../../src/lib/text.ts'

it.each([
  ['casa', '%casa%'],
  ['100%', '%100\\%%'],
  ['a_b', '%a\\_b%'],
  ['back\\slash', '%back\\\\slash%'],
])('matches %s literally', (text, pattern) => expect(likePattern(text)).toBe(pattern))
