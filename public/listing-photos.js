// Uploads photos one by one with progress, and sorts them by dragging. The page does both without scripts, too.

const MAX_BYTES = 15 * 1024 * 1024
const SHRINK_ABOVE_BYTES = 2 * 1024 * 1024
const MAX_SIDE = 2560

const upload = document.querySelector('#upload')
const list = upload?.querySelector('[data-progress]')

/**
 * A camera's picture is several times larger than the stored photo, which matters on mobile connections. Browsers that
 * can show HEIC also convert it to a format that the server reads.
 */
async function smaller(file) {
  const isHeic = /\.hei[cf]$/i.test(file.name)
  if (file.size <= SHRINK_ABOVE_BYTES && !isHeic) return file
  try {
    const bitmap = await createImageBitmap(file)
    const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(bitmap.width * scale)
    canvas.height = Math.round(bitmap.height * scale)
    canvas.getContext('2d').drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    const blob = await new Promise(done => canvas.toBlob(done, 'image/jpeg', 0.9))
    return blob && (isHeic || blob.size < file.size) ? blob : file
  } catch {
    return file
  }
}

function line(name) {
  const item = document.createElement('li')
  item.className = 'flex min-w-0 items-center gap-3 text-sm'
  const label = document.createElement('span')
  label.className = 'min-w-0 flex-1 truncate'
  label.textContent = name
  const bar = document.createElement('progress')
  bar.className = 'progress progress-primary w-24'
  bar.max = 1
  bar.value = 0
  bar.setAttribute('aria-label', name)
  const state = document.createElement('span')
  state.textContent = list.dataset.waiting
  item.append(label, bar, state)
  list.append(item)
  return { bar, state }
}

/** No connection, or a server that is being replaced. */
const isAway = status => status === 0 || status >= 502

/** The data attribute of the list that has the text for this outcome, or the text itself. */
function outcomeOf({ status, responseText }) {
  if (isAway(status)) return { kind: 'unsent', isWorthRetrying: true }
  try {
    const { heic, message } = JSON.parse(responseText)
    return status === 200 ? { kind: 'done' } : { kind: heic ? 'heic' : 'failed', message }
  } catch {
    // A page, such as the one to sign in: nobody took the photo.
    return { kind: 'unsent' }
  }
}

const send = (body, onProgress) =>
  new Promise(resolve => {
    const request = new XMLHttpRequest()
    request.open('POST', upload.action)
    request.setRequestHeader('accept', 'application/json')
    request.upload.addEventListener('progress', event => onProgress(event.loaded / event.total))
    request.addEventListener('loadend', () => resolve(outcomeOf(request)))
    request.send(body)
  })

/** Again after a while if it did not arrive: a photo that the listing has already is not added twice. */
async function sendPatiently(body, onProgress) {
  for (const seconds of [1, 3, 9]) {
    const outcome = await send(body, onProgress)
    if (!outcome.isWorthRetrying) return outcome
    await new Promise(done => setTimeout(done, seconds * 1000))
  }
  return send(body, onProgress)
}

async function uploadAll(files) {
  const lines = files.map(file => line(file.name))
  let failed = 0
  for (const [i, file] of files.entries()) {
    const { bar, state } = lines[i]
    const picture = await smaller(file)
    const body = new FormData()
    body.append('_token', upload.elements._token.value)
    body.append('photos', picture, file.name)
    const { kind, message } =
      picture.size > MAX_BYTES ? { kind: 'large' } : await sendPatiently(body, part => (bar.value = part))
    bar.value = kind === 'done' ? 1 : 0
    if (kind !== 'done') failed++
    state.textContent = message ?? list.dataset[kind]
  }
  if (failed === 0) location.reload()
  else delete upload.dataset.sent
}

upload?.addEventListener('submit', event => {
  event.preventDefault()
  const { files } = upload.elements.photos
  list.replaceChildren()
  uploadAll([...files])
})

const sortable = document.querySelector('[data-sortable]')
const arrange = document.querySelector('#arrange')

function drag(handle, item, pointer) {
  handle.setPointerCapture(pointer)
  item.classList.add('opacity-60')
  const move = event => {
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-sortable] > li')
    if (!under || under === item) return
    const items = [...sortable.children]
    const isLater = items.indexOf(under) > items.indexOf(item)
    if (isLater) under.after(item)
    else under.before(item)
  }
  const end = () => {
    handle.removeEventListener('pointermove', move)
    item.classList.remove('opacity-60')
    arrange.requestSubmit()
  }
  handle.addEventListener('pointermove', move)
  handle.addEventListener('pointerup', end, { once: true })
  handle.addEventListener('pointercancel', end, { once: true })
}

for (const handle of sortable?.querySelectorAll('[data-handle]') ?? []) {
  handle.hidden = false
  handle.addEventListener('pointerdown', event => {
    event.preventDefault()
    drag(handle, handle.closest('li'), event.pointerId)
  })
}
