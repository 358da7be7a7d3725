import type { FastifyInstance } from 'fastify'
import type { PortalDeps } from '../../portal/shell.tsx'
import { registerImport } from './import.tsx'
import { registerImports } from './imports.tsx'

export function registerImportScreens(app: FastifyInstance, deps: PortalDeps): void {
  registerImports(app, deps)
  registerImport(app, deps)
}
