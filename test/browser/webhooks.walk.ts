import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Running } from '../../src/webhooks/dispatch/dispatcher.ts'
import { isSignedBy } from '../../src/webhooks/sender/signature.ts'
import { loopbackNetwork, Receiver } from '../support/receiver.ts'
import { PASSWORD } from '../support/visitor.ts'
import { useWalk, WAYS } from '../support/walk.ts'
import { dispatch, settled } from '../support/webhooks.ts'

const walk = useWalk({ network: loopbackNetwork() })
const receiver = new Receiver()
let dispatcher: Running
beforeAll(async () => {
  await receiver.listen()
  dispatcher = await dispatch(walk.exchange)
})
afterAll(async () => {
  await dispatcher.stop()
  await receiver.close()
})

describe('the life of a webhook', () => {
  it.each(WAYS)(
    '$name: it fails, is sent again with the same bytes, and gets a new secret without a gap',
    async way => {
      receiver.received.length = 0
      receiver.answer = (_request, response) => void response.writeHead(500).end('<b>out of order</b>')
      const agent = await walk.exchange.agent({ password: PASSWORD, name: 'Eva Webhook' })
      const visitor = await walk.visit(way)
      const { page } = visitor
      const main = page.locator('main')
      const secretShown = async () =>
        (await page.getByLabel('Secreto', { exact: true }).inputValue()) as string
      await visitor.signIn(agent.email, PASSWORD)

      await visitor.open('/portal/webhooks')
      await page.getByLabel('Dirección de tu servidor').fill(receiver.url(`/${way.width}`))
      await page.getByLabel('Tu contraseña').fill(PASSWORD)
      await visitor.press('Agregar webhook')
      const first = await secretShown()
      await visitor.follow('Ya lo guardé')
      const home = new URL(page.url()).pathname

      await walk.exchange.published(agent)
      await settled(walk.exchange.db)
      await visitor.open(`${home}?show=failed`)
      await visitor.follow('Qué se envió')
      await main.getByText('out of order').waitFor()
      await main.getByText('listing.published').first().waitFor()
      receiver.answer = (_request, response) => void response.end('thanks')
      await visitor.press('Reenviar')
      await settled(walk.exchange.db)
      expect(receiver.received[1]?.body.equals(receiver.received[0]?.body as Buffer)).toBe(true)

      await visitor.open(home)
      await page.getByLabel('Encabezados de Standard Webhooks').check()
      await page.getByLabel('Reintentar lo que falla').check()
      await visitor.press('Guardar entrega')
      expect(await page.getByLabel('Reintentar lo que falla').isChecked()).toBe(true)
      await page.getByLabel('Tu contraseña').fill(PASSWORD)
      await visitor.press('Rotar con 24 horas de traslape')
      const second = await secretShown()
      await page.getByText('Para bibliotecas de Standard Webhooks').click()
      const standard = await page.getByLabel('Secreto para Standard Webhooks').inputValue()
      await visitor.follow('Ya lo guardé')
      await walk.exchange.published(agent)
      await settled(walk.exchange.db)
      const { headers, body } = receiver.received.at(-1) as (typeof receiver.received)[number]
      expect(isSignedBy(body, String(headers['x-svc-signature']), first)).toBe(true)
      expect(isSignedBy(body, String(headers['x-svc-signature-next']), second)).toBe(true)
      expect(new Webhook(standard).verify(body, headers as Record<string, string>)).toMatchObject({
        event: 'listing.published',
      })
      await visitor.press('Desactivar el anterior')
      await main
        .getByText('El secreto anterior ya no firma.')
        .or(page.getByText('El secreto anterior ya no firma.'))
        .first()
        .waitFor()
      await page.getByLabel('Desde').fill('2026-01-01')
      await visitor.press('Reenviar todo')
      await page.getByText('nada falló en esas fechas').waitFor()
      await visitor.context.close()
    },
  )
})
