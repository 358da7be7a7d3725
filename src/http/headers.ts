import type { FastifyRequest } from 'fastify'

/** The value of a header that was sent once. */
export const headerOf = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** `es-MX, en;q=0.8`: the values in lowercase, each with its weight, 1 unless given. */
export const weightedValues = (header: string): { value: string; weight: number }[] =>
  header.split(',').map(entry => {
    const [value = '', ...parameters] = entry.split(';').map(part => part.trim().toLowerCase())
    const weight = parameters.find(part => part.startsWith('q='))?.slice(2)
    return { value, weight: weight === undefined ? 1 : Number(weight) || 0 }
  })
