// Optional improvements: every page works without scripts.

for (const box of document.querySelectorAll('[data-copy]')) {
  const input = box.querySelector('input, textarea')
  const button = box.querySelector('button')
  button.hidden = false
  input.addEventListener('focus', () => input.select())
  button.addEventListener('click', async () => {
    input.select()
    await navigator.clipboard.writeText(input.value)
    button.querySelector('span').textContent = button.dataset.done
  })
}

// On phones the tabs scroll sideways: show the current one.
for (const tab of document.querySelectorAll('nav.overflow-x-auto [aria-current]')) {
  tab.scrollIntoView({ inline: 'center', block: 'nearest' })
}

// Focus moves to the form's error summary, so that screen readers announce it.
document.querySelector('[data-focus]')?.focus()

// Prevents double submission.
document.addEventListener('submit', event => {
  if (event.target.dataset.sent) event.preventDefault()
  else if (!event.defaultPrevented) {
    event.target.dataset.sent = 'yes'
    // If no response came, allow another attempt.
    setTimeout(() => delete event.target.dataset.sent, 10_000)
  }
})
addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent
})

// The phone menu closes on a click outside or Escape.
document.addEventListener('click', event => {
  for (const menu of document.querySelectorAll('details.dropdown[open]')) {
    if (!menu.contains(event.target)) menu.open = false
  }
})
document.addEventListener('keydown', event => {
  if (event.key !== 'Escape') return
  const menu = document.querySelector('details.dropdown[open]')
  if (!menu) return
  menu.open = false
  menu.querySelector('summary').focus()
})
