// The search form: how many listings it would find, in all and with each value; on a phone it is a sheet over the page.
const form = document.querySelector('form[data-counts]')
const sheet = document.querySelector('#filtros')
const WAIT_MS = 250

/** Everything beside the form, up to the page. */
function setInert(isInert) {
  for (let inside = form; inside !== document.body; inside = inside.parentElement)
    for (const other of inside.parentElement.children) if (other !== inside) other.inert = isInert
}

function turn() {
  setInert(sheet.checked)
  if (sheet.checked) count()
}

const words = JSON.parse(form.dataset.words)
const written = number => number.toLocaleString(document.documentElement.lang)

function showCounts({ total, counts }) {
  const button = form.querySelector('[data-total]')
  button.textContent =
    total === 0 ? words.none : total === 1 ? words.one : words.many.replace('#', written(total))
  for (const option of form.querySelectorAll('select option')) {
    const number = counts[option.parentElement.name]?.[option.value]
    option.dataset.text ??= option.textContent
    option.textContent =
      number === undefined ? option.dataset.text : `${option.dataset.text} (${written(number)})`
  }
  for (const check of form.querySelectorAll('.checks input')) {
    const label = check.closest('label')
    const shown = label.querySelector('.count') ?? label.appendChild(document.createElement('span'))
    shown.className = 'count'
    shown.textContent = written(counts[check.name]?.[check.value] ?? 0)
  }
}

let latest = ''
let asking
/** Of the form as it is; nothing if that is what was asked last. */
async function count() {
  const query = new URLSearchParams(new FormData(form)).toString()
  if (query === latest && asking) return
  latest = query
  asking?.abort()
  asking = new AbortController()
  try {
    const answer = await fetch(`${form.dataset.counts}?${query}`, { signal: asking.signal })
    if (answer.ok) showCounts(await answer.json())
  } catch {
    // Counts are an addition: the form works without them.
  }
}

let timer
const countSoon = () => {
  clearTimeout(timer)
  timer = setTimeout(count, WAIT_MS)
}

// Not before somebody turns to the form: counting takes the server longer than the page.
form.addEventListener('focusin', countSoon)
form.addEventListener('input', countSoon)
for (const more of form.querySelectorAll('details')) more.addEventListener('toggle', countSoon)
sheet.addEventListener('change', turn)
form.addEventListener('keydown', event => {
  if (event.key !== 'Escape' || !sheet.checked || event.defaultPrevented) return
  close()
  sheet.focus()
})
const close = () => {
  sheet.checked = false
  turn()
}
// On a wide screen there is no sheet to close, and who comes back wants the results.
matchMedia('(min-width: 64rem)').addEventListener('change', close)
addEventListener('pagehide', close)
