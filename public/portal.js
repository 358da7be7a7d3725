// Comforts of the portal. Every page is complete without them.

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

// On phones the tabs are a row to be pushed along: begin where one is.
for (const tab of document.querySelectorAll('nav.overflow-x-auto [aria-current]')) {
  tab.scrollIntoView({ inline: 'center', block: 'nearest' })
}

// What went wrong with a form is where reading goes on.
document.querySelector('[data-focus]')?.focus()

// A form is sent once, however often its button is pressed.
document.addEventListener('submit', event => {
  if (event.target.dataset.sent) event.preventDefault()
  else if (!event.defaultPrevented) {
    event.target.dataset.sent = 'yes'
    // Unless nothing came of it.
    setTimeout(() => delete event.target.dataset.sent, 10_000)
  }
})
addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent
})

// The menu of phones closes when one looks elsewhere.
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
