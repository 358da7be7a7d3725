/** Matches an API key anywhere in a text, so that keys can be kept out of logs and responses. */
export const KEY_SHAPE = /svc(?:_|%5f)[0-9A-Za-z]{8}(?:_|%5f)[0-9A-Za-z]{1,48}/i
const EVERY_KEY = new RegExp(KEY_SHAPE, 'gi')

export const hideKeys = (text: string): string => text.replace(EVERY_KEY, 'svc_[hidden]')
