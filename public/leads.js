// Changes a lead's stage on selection, or by dragging cards on the board. Without scripts, the buttons do the same.

for (const select of document.querySelectorAll('select[data-auto]')) {
  select.form.querySelector('button').hidden = true
  select.addEventListener('change', () => select.form.requestSubmit())
}

const board = document.querySelector('[data-board]')
for (const card of board?.querySelectorAll('[data-lead]') ?? []) {
  card.draggable = true
  card.classList.add('cursor-grab')
  card.addEventListener('dragstart', event => {
    event.dataTransfer.setData('text/plain', card.dataset.lead)
    event.dataTransfer.effectAllowed = 'move'
  })
}

for (const column of board?.querySelectorAll('[data-stage]') ?? []) {
  const mark = isOver => column.classList.toggle('outline-2', isOver)
  column.classList.add('outline-primary')
  column.addEventListener('dragover', event => {
    event.preventDefault()
    mark(true)
  })
  column.addEventListener('dragleave', () => mark(false))
  column.addEventListener('drop', event => {
    event.preventDefault()
    mark(false)
    const id = event.dataTransfer.getData('text/plain')
    const card = [...board.querySelectorAll('[data-lead]')].find(one => one.dataset.lead === id)
    const select = card?.querySelector('select')
    if (!select || select.value === column.dataset.stage) return
    select.value = column.dataset.stage
    select.form.requestSubmit()
  })
}
