import { Problem, type ProblemKind } from '../lib/problem.ts'

/** A problem told in the visitor's own language. The words of other problems are for programs, and pages replace them. */
export class Refusal extends Problem {
  constructor(kind: ProblemKind, message: string) {
    super(kind, { message })
  }
}
