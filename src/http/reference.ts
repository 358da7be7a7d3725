import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { API_PREFIX } from './openapi.ts'

// The reference generates its own styles; scripts and data come only from this server.
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"

const configuration = JSON.stringify({
  url: `${API_PREFIX}/openapi.json`,
  // Relative to the page: our policy would block another origin.
  servers: [{ url: API_PREFIX }],
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
}).replaceAll('"', '&quot;')

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Lonja API</title></head>
<body>
<noscript>This page needs JavaScript. The same description as a file: <a href="${API_PREFIX}/openapi.json">openapi.json</a>.</noscript>
<script id="api-reference" data-configuration="${configuration}"></script>
<script src="/docs/scalar.js"></script>
</body>
</html>`

/** The interactive reference, served from the package's own file so that it works without internet. */
export async function registerReference(app: FastifyInstance): Promise<void> {
  const entry = import.meta.resolve('@scalar/fastify-api-reference')
  const script = await readFile(new URL('./js/standalone.js', entry))
  const schema = { hide: true }
  app.get('/docs', { schema }, (_request, reply) =>
    reply.type('text/html; charset=utf-8').header('content-security-policy', CSP).send(PAGE),
  )
  app.get('/docs/scalar.js', { config: { compression: 'once' }, schema }, (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'public, max-age=86400')
      .send(script),
  )
}
