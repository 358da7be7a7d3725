import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Issue } from '../lib/issue.ts'
import { Problem } from '../lib/problem.ts'
import type { Access, UploadLimits } from './guard.ts'

/** Parameter names: `'id'` of `/leads/:id/notes`. */
type ParamNames<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParamNames<More>
    : Rest
  : never

type FormRequest<Path extends string> = FastifyRequest<{ Params: Record<ParamNames<Path>, string> }>
type Answer = FastifyReply | Promise<FastifyReply>

/** Submitted values and their errors. */
export interface Rejected {
  values: URLSearchParams
  errors: readonly Issue[]
}

interface FormRoute<Path extends string, Input, Result> {
  path: Path
  access?: Access
  /** Without it the form cannot send files. */
  upload?: UploadLimits
  /** In bytes, for long forms (`LONG_FORM_BYTES` in guard.ts). */
  bodyLimit?: number
  /** Loads the form's subject and reads the input. Anything it throws goes to the error page. */
  read?: (request: FormRequest<Path>) => Input | Promise<Input>
  run: (request: FormRequest<Path>, input: Input) => Promise<Result>
  /** Redraws the page with status 422 for issues the person can fix. Without it they go to the error page. */
  redraw?: (request: FormRequest<Path>, reply: FastifyReply, rejected: Rejected, input: Input) => Answer
  done: (request: FormRequest<Path>, reply: FastifyReply, result: Result, input: Input) => Answer
}

/** Every portal form: read, run, then redraw the page or continue to the next one. */
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

/** Returns the issues the person can fix; everything else is rethrown to the error page. */
export async function attempt<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await work() }
  } catch (error) {
    if (error instanceof Problem && error.details.issues) return { errors: error.details.issues }
    throw error
  }
}
