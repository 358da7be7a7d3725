import type { FastifyInstance } from 'fastify'
import type { PortalDeps } from '../../portal/shell.tsx'
import { registerWidget } from './widget.tsx'
import { registerWidgets } from './widgets.tsx'

export function registerWidgetScreens(app: FastifyInstance, deps: PortalDeps): void {
  registerWidgets(app, deps)
  registerWidget(app, deps)
}
