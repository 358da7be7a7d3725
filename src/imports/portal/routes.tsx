import type { FastifyInstance } from 'fastify'
import { registerImport, registerSteps } from './import.tsx'
import { registerImports } from './imports.tsx'
import { type ImportDeps, registerSources } from './sources.tsx'

export function registerImportScreens(app: FastifyInstance, deps: ImportDeps): void {
  registerImports(app, deps)
  registerSources(app, deps)
  registerImport(app, deps)
  registerSteps(app, deps)
}
