/** What an API key looks like anywhere in a text. Known here because it must be kept out of logs and answers. */
export const KEY_SHAPE = /svc(?:_|%5f)[0-9A-Za-z]{8}(?:_|%5f)[0-9A-Za-z]{1,48}/i
const EVERY_KEY = new RegExp(KEY_SHAPE, 'gi')

export const hideKeys = (text: string): string => text.replace(EVERY_KEY, 'svc_[hidden]')
