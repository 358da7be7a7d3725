import type { FastifyInstance } from 'fastify'
import type { PortalDeps } from '../../../portal/shell.tsx'
import { registerContact } from './contact.tsx'
import { registerContacts } from './contacts.tsx'
import { registerTasks } from './tasks.tsx'

export function registerContactScreens(app: FastifyInstance, deps: PortalDeps): void {
  registerContacts(app, deps)
  registerContact(app, deps)
  registerTasks(app, deps)
}
