"""Neovim, without a screen: it shows what `check` reports, applies a fix and formats, as docs/editors.md sets it up."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from support.language_client import run_neovim

LIST = """\
# Awesome Shelves

## Tools

- [Foo](http://dx.doi.org/10.1145/3302424.3303953) - 中文 😀 finds books.
- 😀 [Bar](http://dx.doi.org/10.1145/3341301.3359653) - 中文 sorts books.
* [Baz]() - Counts books.
"""

SCRIPT = """
local found = {}
wait(function() return #vim.diagnostic.get(0) == 3 end, 'diagnostics')
for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
  table.insert(found, { diagnostic.code, diagnostic.lnum, diagnostic.col, diagnostic.severity })
end

local titles = {}
vim.ui.select = function(items, options, chosen)
  for _, item in ipairs(items) do
    local action = item[2] or item.action
    table.insert(titles, action.title)
    if vim.startswith(action.title, 'Fix: ') then chosen(item, 1) return end
  end
end
vim.api.nvim_win_set_cursor(0, { 6, 10 })
vim.lsp.buf.code_action()
wait(function() return #vim.diagnostic.get(0) == 2 end, 'the fix')
local fixed = vim.api.nvim_buf_get_lines(0, 0, -1, false)

vim.api.nvim_buf_set_lines(0, 0, 1, false, { '#   Awesome Shelves' })
if vim.lsp.buf.format then vim.lsp.buf.format({ timeout_ms = 20000 }) else vim.lsp.buf.formatting_sync(nil, 20000) end
local formatted = vim.api.nvim_buf_get_lines(0, 0, -1, false)
return { found = found, titles = titles, fixed = fixed, formatted = formatted }
"""

NAVIGATION = """
wait(function() return #vim.diagnostic.get(0) > 0 end, 'diagnostics')
local function go(line, column) vim.api.nvim_win_set_cursor(0, { line, column }) end

go(3, 40) -- the link to the other file
vim.lsp.buf.definition()
wait(function() return vim.fn.expand('%:t') == 'other.md' end, 'the definition')
local there = vim.api.nvim_win_get_cursor(0)
vim.cmd('buffer list.md')

go(5, 4)
vim.lsp.buf.rename('工具 😀')
wait(function() return vim.api.nvim_buf_get_lines(0, 4, 5, false)[1] ~= '## Tools' end, 'the new name')
local renamed = vim.api.nvim_buf_get_lines(0, 0, -1, false)
local other = vim.api.nvim_buf_get_lines(vim.fn.bufnr('other.md'), 0, -1, false)

go(8, 12)
local shown = vim.lsp.buf_request_sync(0, 'textDocument/hover', vim.lsp.util.make_position_params(), 20000)
local hover
for _, answer in pairs(shown) do hover = answer.result.contents.value end
return { there = there, renamed = renamed, other = other, hover = hover }
"""

pytestmark = pytest.mark.skipif(shutil.which("nvim") is None, reason="Neovim is not installed")


def test_neovim_shows_diagnostics_applies_a_fix_and_formats(tmp_path: Path) -> None:
    (tmp_path / "list.md").write_text(LIST)
    result = run_neovim(tmp_path, "list.md", SCRIPT)
    assert result["found"] == [
        ["paper/doi-form", 4, 8, 2],
        ["paper/doi-form", 5, 13, 2],  # Neovim counts bytes
        ["link/empty", 6, 2, 2],
    ]
    fixed = LIST.replace("http://dx.doi.org/10.1145/3341301", "https://doi.org/10.1145/3341301")
    assert "\n".join([*result["fixed"], ""]) == fixed
    assert "\n".join([*result["formatted"], ""]) == fixed
    assert result["titles"][0].startswith("Fix: https://doi.org/10.1145/3341301")


def test_neovim_follows_a_link_and_renames_a_section_in_two_files(tmp_path: Path) -> None:
    text = LIST.replace("## Tools", "[Tools](#tools), 中文 😀 [more](other.md#more)\n\n## Tools")
    other = "# Other\n\n[Tools](list.md#tools)\n\n## More\n"
    (tmp_path / "list.md").write_text(text)
    (tmp_path / "other.md").write_text(other)
    result = run_neovim(tmp_path, "list.md", NAVIGATION)
    assert result["there"] == [5, 3]
    assert "\n".join([*result["renamed"], ""]) == text.replace("Tools", "工具 😀").replace("#tools", "#工具-")
    assert "\n".join([*result["other"], ""]) == other.replace("Tools", "工具 😀").replace("#tools", "#工具-")
    assert "**Bar**" in result["hover"]
