import { Problem, type ProblemKind } from '../lib/problem.ts'

/** A problem worded in the visitor's language. Other problems have API messages, which pages replace. */
export class Refusal extends Problem {
  constructor(kind: ProblemKind, message: string) {
    super(kind, { message })
  }
}
