import type { Lang } from '../lib/i18n.ts'
import type { Notice } from './rules.ts'

/** What the text may say as {name}, so that it never differs from what Lonja does. */
export interface NoticeFacts {
  /** Days after a showing until an identification is erased. */
  id_days: number
  /** Days after it was sent until it is erased at the latest. */
  id_days_max: number
  /** Hours to turn an alert on. */
  alert_hours: number
}

export const withFacts = (text: string, facts: NoticeFacts): string =>
  text.replace(/\{(id_days|id_days_max|alert_hours)\}/g, (_, name: keyof NoticeFacts) => String(facts[name]))

interface Operator {
  host: string
  /** Address for privacy requests. */
  contact: string | undefined
}

/** Visitors accept this text: when you change it, set PRIVACY_EDITION (leads/visitors/service.ts) to that day. */
export const defaultNotice = (operator: Operator): Notice => ({
  es: spanish(operator),
  en: english(operator),
})

export const noticeText = (chosen: Notice | undefined, operator: Operator, lang: Lang): string =>
  (chosen ?? defaultNotice(operator))[lang]

const spanish = ({ host, contact }: Operator) => `## Quién es responsable de tus datos

El agente inmobiliario a quien escribes, y quien opera ${host}, que guarda los datos por encargo suyo y cuida el sitio. El nombre y el teléfono del agente están en la página desde la que le escribes.${contact ? ` El operador atiende en ${contact}.` : ''}

## Qué datos y para qué

- Al preguntar: tu nombre, correo o teléfono y tu mensaje, para que el agente te conteste. También guardamos cuándo aceptaste este aviso.
- Al pedir una visita: además el día y la hora, y una identificación: tu nombre como aparece en el documento, su tipo, su número y una foto. Sirve solo para saber quién visitará la propiedad.
- Al pedir un aviso: tu correo, la búsqueda y cada cuándo quieres recibirlo, para escribirte cuando haya propiedades que coincidan. Lo guarda quien opera el sitio; ningún agente lo ve.
- Tu dirección de internet se cuenta unos minutos en memoria para frenar el correo basura; no se guarda con tu mensaje.

Contamos cuántas veces se ve, se guarda o se comparte cada propiedad, por día y por tipo de sitio del que se llega; nada de quién lo hizo.

Tus favoritos y las propiedades que viste se guardan solo en tu navegador; puedes borrarlos con los datos del sitio.

No los usamos para publicidad, no los vendemos y este sitio no usa cookies de seguimiento.

## Quién los ve

Tu mensaje lo ve el agente a quien escribes, que puede recibirlo en los sistemas con los que trabaja. Tu identificación se guarda cifrada; solo la ven ese agente y el operador, en una pantalla hecha para revisarla. No se envía por correo ni a otros sistemas.

## Por cuánto tiempo

La identificación se borra {id_days} días después de la visita, o de inmediato si no se acepta; nunca se guarda más de {id_days_max} días desde que la envías. Tu mensaje y tus datos de contacto los conserva el agente mientras te atiende, o hasta que pidas borrarlos. De un aviso borramos tu correo cuando lo terminas, si no lo activas en {alert_hours} horas, o tras un año sin que lo uses, avisándote antes.

## Tus derechos

Puedes pedir acceso a tus datos, corregirlos, cancelarlos u oponerte a su uso (derechos ARCO), y retirar tu consentimiento cuando quieras. Escríbele al agente ${contact ? 'o al operador, en la dirección de arriba' : 'o a quien opera este sitio'}. Di con qué correo o teléfono escribiste, para encontrarlos.

## Cambios

Si este aviso cambia, aquí se publica la edición nueva con su fecha. Con tu mensaje queda anotada la que aceptaste.`

const english = ({ host, contact }: Operator) => `## Who is responsible for your data

The real estate agent you write to, and the operator of ${host}, who keeps the data on the agent’s behalf and looks after the site. The agent’s name and phone are on the page you write from.${contact ? ` The operator can be reached at ${contact}.` : ''}

## What data we collect, and why

- When you ask: your name, email or phone and your message, so that the agent can answer. We also record when you agreed to this notice.
- When you ask for a showing: also the day and time, and your ID: your name as shown on the document, its type, its number and a photo. It is used only to know who will visit the property.
- When you ask for an alert: your email, the search and how often you want it, to write to you when properties match. The operator of the site keeps it; no agent sees it.
- Your IP address is held in memory for a few minutes to limit spam; it is not stored with your message.

We count how often each property is seen, saved or shared, by day and by the kind of site people come from; we do not record who did it.

Your favorites and the properties you saw are kept in your browser only; you can delete them with the site’s data.

We do not use your data for advertising or sell it, and this site uses no tracking cookies.

## Who sees your data

Your message is seen by the agent you write to, who may receive it in the systems they work with. Your identification is kept encrypted; only that agent and the operator see it, on a screen used only to review it. It is never sent by email or to other systems.

## For how long

The identification is erased {id_days} days after the showing, or at once if it is not accepted; it is never kept for more than {id_days_max} days after you send it. Your message and contact details are kept by the agent while they assist you, or until you ask to have them erased. Your address is erased from an alert when you end it, if you do not turn it on within {alert_hours} hours, or after a year without use, after a warning.

## Your rights

You may ask to see your data, to correct or erase it, or object to its use (ARCO rights), and you may withdraw your consent at any time. Write to the agent ${contact ? 'or to the operator, at the address above' : 'or to the operator of this site'}. Say which email or phone you wrote with, so that they can be found.

## Changes

If this notice changes, the new edition is published here with its date. The one you agreed to is noted with your message.`
