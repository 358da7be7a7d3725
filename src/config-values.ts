import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { addressesOf } from './db/hosts.ts'
import { isEmail } from './lib/email.ts'

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export function wholeNumber(text: string, least: number, most: number): number | undefined {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  return number >= least && number <= most ? number : undefined
}

export function hostName(text: string): string | undefined {
  return isIP(text) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text : undefined
}

export function localUrl(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? 'localhost' : isIP(host) === 6 ? `[${host}]` : host
  return `http://${name}:${port}`
}

export function origin(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
  return url.pathname === '/' && !url.search && !url.hash ? url.origin : undefined
}

export function postgresUrl(text: string): string | undefined {
  return addressesOf(text) && text
}

export function tilesTemplate(text: string): string | undefined {
  const isTemplate = ['{z}', '{x}', '{y}'].every(part => text.includes(part))
  return isTemplate && /^https:\/\/./.test(text) && URL.canParse(text.replace(/[{}]/g, '')) ? text : undefined
}

/** An address becomes part of the Content-Security-Policy, so it may contain nothing that ends a word there. */
export function pmtilesPlace(text: string): string | undefined {
  if (!/\.pmtiles$/i.test(text)) return undefined
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return resolve(text)
  return /^https:\/\/[\w.-]+(:\d+)?\/[\w./~%@+-]+\.pmtiles$/.test(text) && URL.canParse(text)
    ? text
    : undefined
}

export const webAddress = (text: string): string | undefined =>
  URL.canParse(text) && /^https?:/.test(text) ? text : undefined

/** From 0 to 1. */
export function shareOf(text: string): number | undefined {
  return /^(0|1|0?\.\d+|1\.0+)$/.test(text) ? Number(text) : undefined
}

export const httpsAddress = (text: string): string | undefined =>
  /^https:\/\/./.test(text) && URL.canParse(text) ? text : undefined

export function smtpAddress(text: string): string | undefined {
  return /^smtps?:\/\/./.test(text) && URL.canParse(text) ? text : undefined
}

/** A name and an address, or an address alone, on one line. */
export function mailbox(text: string): string | undefined {
  const [, address] = /^[^<>\p{Cc}]*<([^<>]*)>$/u.exec(text) ?? [undefined, text]
  return isEmail(address ?? '') ? text : undefined
}

export function mailDomain(publicUrl: string): string {
  const { hostname } = new URL(publicUrl)
  return isIP(hostname.replace(/^\[|\]$/g, '')) ? 'localhost' : hostname
}

export function yesOrNo(text: string): boolean | undefined {
  return { 1: true, 0: false }[text]
}

export function longText(text: string): string | undefined {
  return text.length >= 32 ? text : undefined
}

export function logLevelOf(text: string): LogLevel | undefined {
  return LOG_LEVELS.find(level => level === text.toLowerCase())
}

export function addressList(text: string): string[] | undefined {
  const items = text
    .split(',')
    .map(item => item.trim())
    .filter(Boolean)
  return items.every(isAddressOrRange) ? items : undefined
}

function isAddressOrRange(item: string): boolean {
  const [address = '', prefix, ...rest] = item.split('/')
  const family = isIP(address)
  if (family === 0 || rest.length > 0) return false
  return prefix === undefined || wholeNumber(prefix, 0, family === 4 ? 32 : 128) !== undefined
}
