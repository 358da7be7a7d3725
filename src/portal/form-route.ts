import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Issue } from '../lib/issue.ts'
import { Problem } from '../lib/problem.ts'
import type { Access, UploadLimits } from './guard.ts'

/** The names after the colons: `'id'` of `/leads/:id/notes`. */
type ParamNames<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParamNames<More>
    : Rest
  : never

type FormRequest<Path extends string> = FastifyRequest<{ Params: Record<ParamNames<Path>, string> }>
type Answer = FastifyReply | Promise<FastifyReply>

/** What was typed and what is wrong with it. */
export interface Rejected {
  values: URLSearchParams
  errors: readonly Issue[]
}

interface FormRoute<Path extends string, Input, Result> {
  path: Path
  access?: Access
  /** Without it the form cannot send files. */
  upload?: UploadLimits
  /** Bytes, where a form is longer than most (`LONG_FORM_BYTES` of guard.ts). */
  bodyLimit?: number
  /** What the form is about and what was sent. Whatever it throws goes to the error page. */
  read?: (request: FormRequest<Path>) => Input | Promise<Input>
  run: (request: FormRequest<Path>, input: Input) => Promise<Result>
  /** The page again, with status 422, for what a person can fix. Without it that goes to the error page too. */
  redraw?: (request: FormRequest<Path>, reply: FastifyReply, rejected: Rejected, input: Input) => Answer
  done: (request: FormRequest<Path>, reply: FastifyReply, result: Result, input: Input) => Answer
}

/** Every form of the portal: read, run, then either the page again or on to the next one. */
export function formRoute<Path extends string, Input, Result>(
  app: FastifyInstance,
  { path, access, upload, bodyLimit, read, run, redraw, done }: FormRoute<Path, Input, Result>,
): void {
  const config = { ...(access && { access }), ...(upload && { upload }) }
  const options = { config, ...(bodyLimit && { bodyLimit }) }
  app.post<{ Params: Record<ParamNames<Path>, string> }>(path, options, async (request, reply) => {
    const input = (await read?.(request)) as Input
    if (!redraw) return done(request, reply, await run(request, input), input)
    const tried = await attempt(() => run(request, input))
    if (!tried.errors) return done(request, reply, tried.value as Result, input)
    reply.code(422)
    return redraw(request, reply, { values: request.form, errors: tried.errors }, input)
  })
}

type Attempt<T> = { value: T; errors?: undefined } | { value?: undefined; errors: readonly Issue[] }

/** What whoever filled in a form can fix comes back as a list; everything else goes on to the error page. */
export async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await work() }
  } catch (error) {
    if (error instanceof Problem && error.details.issues) return { errors: error.details.issues }
    throw error
  }
}
