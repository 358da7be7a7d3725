import { describe, expect, it } from 'vitest'
import { oneLine } from '../../src/lib/names.ts'
import { type LeadNotice, leadEmail } from '../../src/notices/lead.email.tsx'
import { licenseEmail } from '../../src/notices/license.email.tsx'
import { composeMail, type Draft } from '../../src/notices/mail.ts'
import { reconfirmEmail } from '../../src/notices/reconfirm.email.tsx'
import { webhookEmail } from '../../src/notices/webhook.email.tsx'

const LEAD: LeadNotice = {
  name: 'María López',
  email: 'maria@example.com',
  phone: '33 1234 5678',
  message: 'Hola,\n¿sigue disponible?',
  kind: 'info',
  source: 'site',
  tourAt: null,
  whereabouts: null,
  isAwaited: false,
  listing: { title: 'Casa con jardín', url: 'https://lonja.example/propiedades/casa' },
  url: 'https://lonja.example/portal/leads/1',
}
const mail = (draft: Draft) =>
  composeMail(draft, { id: '1', kind: 'lead', to: { name: 'Ana', address: 'ana@example.mx' } })

describe('the mail about a lead', () => {
  it('says in Spanish who asks about what, in text and in HTML', () => {
    const { subject, text, html, replyTo } = mail(leadEmail(LEAD, 'es'))
    expect(subject).toBe('Nuevo prospecto: María López: Casa con jardín')
    expect(replyTo).toEqual({ name: 'María López', address: 'maria@example.com' })
    expect(text).toBe(`Tienes un nuevo prospecto

Nombre: María López
Correo: maria@example.com <mailto:maria@example.com>
Teléfono: 33 1234 5678
Propiedad: Casa con jardín <https://lonja.example/propiedades/casa>
Origen: Página de la propiedad

> Hola,
> ¿sigue disponible?

Ver el prospecto <https://lonja.example/portal/leads/1>

Escribir por WhatsApp <https://wa.me/523312345678>

Responde a este correo para contestarle.

Recibes este aviso porque se te asignó este prospecto en Lonja.
`)
    expect(html).toMatch(/^<!doctype html><html lang="es">/)
    for (const part of [
      'María López',
      '33 1234 5678',
      '¿sigue disponible?',
      'href="https://lonja.example/propiedades/casa"',
    ])
      expect(html).toContain(part)
  })

  it('leads to the lead and to WhatsApp with buttons, under stacked labels', () => {
    const { html } = mail(leadEmail(LEAD, 'es'))
    expect(html).toMatch(/<a href="https:\/\/lonja\.example\/portal\/leads\/1" style="display:block;/)
    expect(html).toMatch(/<a href="https:\/\/wa\.me\/523312345678" style="display:block;/)
    expect(html).toMatch(/<td style="display:block;[^>]*>Nombre<\/td><td style="display:block;/)
    expect(mail(leadEmail({ ...LEAD, phone: null }, 'es')).html).not.toContain('wa.me')
  })

  it('is in English for agents who use English', () => {
    const { subject, text, html } = mail(leadEmail({ ...LEAD, listing: null, source: 'api' }, 'en'))
    expect(subject).toBe('New lead: María López')
    expect(text).toMatch(/^You have a new lead\n\nName: María López\nEmail: /)
    expect(text).not.toMatch(/Listing|Propiedad|prospecto/)
    expect(html).toContain('<html lang="en">')
  })

  it('leaves out unknown fields', () => {
    const { text, replyTo } = mail(
      leadEmail({ ...LEAD, email: null, phone: null, message: null, listing: null }, 'es'),
    )
    expect(text).not.toMatch(/Correo|Teléfono|Propiedad|Responde|null/)
    expect(replyTo).toBeUndefined()
  })

  const SHOWING = { ...LEAD, kind: 'tour' as const, tourAt: new Date('2030-01-05T16:30:00Z') }

  it('shows a showing with its time in Mexico', () => {
    const { subject, text } = mail(leadEmail(SHOWING, 'es'))
    expect(subject).toBe('Visita: María López: Casa con jardín')
    expect(text).toContain('sábado, 5 de enero de 2030, 10:30')
    expect(text).toContain('ya verificó su identidad')
  })

  it('says in the zone of the listing when a showing was requested, and that identification is pending', () => {
    const whereabouts = { state: 'Quintana Roo', city: 'Cancún', municipality: null }
    const { subject, text } = mail(leadEmail({ ...SHOWING, whereabouts, isAwaited: true }, 'es'))
    expect(subject).toBe('Visita (falta identificarse): María López: Casa con jardín')
    expect(text.replace(/\s/g, ' ')).toContain('5 de enero de 2030, 11:30 a.m. (hora de Cancún)')
    expect(text).not.toContain('ya verificó su identidad')
  })

  it.each(['name', 'message', 'phone', 'source'] as const)('escapes markup in its %s', field => {
    const attack = '<script>alert(1)</script><img src=x onerror=alert(1)>" onmouseover="x'
    const { html } = mail(leadEmail({ ...LEAD, [field]: attack }, 'es'))
    expect(html).not.toMatch(/<script|<img/)
    expect(html).toContain('&lt;script>')
    expect(html).not.toMatch(/<[^>]*onmouseover/)
  })

  it('keeps an address from breaking out of its link', () => {
    const { html } = mail(leadEmail({ ...LEAD, email: 'a"&?bcc=x%0d@example.com' }, 'es'))
    expect(html).toContain('href="mailto:a%22%26%3Fbcc%3Dx%250d@example.com"')
  })

  it('keeps line breaks of a name out of the headers', () => {
    const name = 'Eva\r\nBcc: victim@example.com\u2028X: y\0\u202e'
    const { subject, replyTo } = mail(leadEmail({ ...LEAD, name, listing: null }, 'es'))
    expect(subject).toBe('Nuevo prospecto: Eva Bcc: victim@example.com X: y')
    expect(replyTo?.name).toBe('Eva Bcc: … X: y')
  })

  it('truncates a long subject between characters', () => {
    const { subject } = mail(leadEmail({ ...LEAD, name: '🏠'.repeat(300) }, 'es'))
    expect([...subject]).toHaveLength(150)
    expect(subject.isWellFormed()).toBe(true)
  })
})

describe('oneLine', () => {
  it('collapses anything to one line', () => {
    expect(oneLine(' a\r\n\tb\u0085c\u2029d  e\u200f ')).toBe('a b c d e')
  })
})

describe.each(['es', 'en'] as const)('the other mails (%s)', lang => {
  it.each<[string, Draft, RegExp]>([
    [
      'licence',
      licenseEmail({ name: '<b>Ana</b>', url: 'https://lonja.example/agentes/ana' }, lang),
      /agentes\/ana/,
    ],
    [
      'reconfirmation',
      reconfirmEmail(
        {
          listings: [
            {
              title: '<b>Casa</b>',
              url: 'https://lonja.example/propiedades/c',
              hiddenOn: new Date('2030-01-05T16:30:00Z'),
            },
          ],
        },
        lang,
      ),
      /propiedades\/c.*2030/,
    ],
    [
      'webhook',
      webhookEmail({ host: '<b>crm</b>', lastStatus: 'http 5xx', failures: 5, state: 'failing' }, lang),
      /http 5xx/,
    ],
  ])('about %s are complete in both forms and escaped', (_kind, draft, said) => {
    const { text, html, subject } = mail(draft)
    expect(text).toMatch(said)
    expect(html).not.toContain('<b>')
    expect(subject).not.toMatch(/undefined|null|\[object/)
    expect(text).not.toMatch(/undefined|null|\[object/)
    expect(html).toContain(`<html lang="${lang}">`)
  })
})
