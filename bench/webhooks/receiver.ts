// A receiver in a separate process: records when each event arrived, and reports on request. With `http`, without TLS.
import { createServer as createPlain, type RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { CERTIFICATE } from '../../test/support/certificate.ts'

const arrivals: [id: string, at: number][] = []
const take: RequestListener = (request, response) => {
  let body = ''
  request.setEncoding('utf8')
  request.on('data', chunk => {
    body += chunk
  })
  request.on('end', () => {
    arrivals.push([JSON.parse(body).data.id, performance.timeOrigin + performance.now()])
    response.end()
  })
}
const server = process.argv[2] === 'http' ? createPlain(take) : createServer(CERTIFICATE, take)
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.on('message', message => {
  if (message === 'take') process.send?.({ arrivals: arrivals.splice(0) })
})
process.on('disconnect', () => process.exit())
