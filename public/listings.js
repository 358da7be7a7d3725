// Selects all listings at once, and shows how many are selected.

const form = document.querySelector('#bulk')
const all = form?.querySelector('[data-select-all]')
if (all) {
  const boxes = [...form.querySelectorAll('input[name=id]')]
  const selectAll = all.querySelector('input')
  const counter = form.querySelector('[data-selected]')
  all.hidden = false
  const count = () => {
    const chosen = boxes.filter(box => box.checked).length
    counter.textContent = chosen > 0 ? `(${chosen})` : ''
    selectAll.checked = chosen === boxes.length
    selectAll.indeterminate = chosen > 0 && chosen < boxes.length
  }
  selectAll.addEventListener('change', () => {
    for (const box of boxes) box.checked = selectAll.checked
    count()
  })
  for (const box of boxes) box.addEventListener('change', count)
  count()
}
