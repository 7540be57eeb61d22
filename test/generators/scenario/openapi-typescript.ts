// The types of openapi-typescript with openapi-fetch, which ignores the servers of a document.

import createClient from 'openapi-fetch'
import type { paths as ModulePaths } from '../openapi-typescript/module'
import type { paths as SystemPaths } from '../openapi-typescript/system'
import { type Client, play, require } from './scenario'

export function run(key: string, baseUrl: string): Promise<object> {
  const options = { baseUrl, headers: { authorization: `Bearer ${key}` } }
  const system = createClient<SystemPaths>(options)
  const modules = createClient<ModulePaths>(options)
  const TABLE = '/module/datatable/1/products'
  const ENTRY = '/module/datatable/1/products/{entry_id}'

  const client: Client = {
    async createFolder(name) {
      const { data } = await system.POST('/asset_category', { body: { name } })
      return require(data).asset_category_id
    },
    async createFile({ folder: parent_category_id, name, text: pageContent }) {
      const body = { name, type: 'html', parent_category_id, pageContent }
      const { data } = await system.POST('/asset_file', { body })
      return require(data).asset_file_id
    },
    async createFiles(folder, names) {
      const body = names.map((name) => ({ name, type: 'html', parent_category_id: folder }))
      const { data } = await system.POST('/asset_file/bulk', { body })
      return require(data).asset_file.map(({ name }) => name)
    },
    async publish(id) {
      const { data } = await system.POST('/asset_file/{id}/publish', { params: { path: { id } } })
      return require(data).live_version
    },
    async findFiles(qry) {
      const { data } = await system.GET('/asset_file', { params: { query: { qry, length: 10 } } })
      return require(data).asset_file.map(({ name }) => name)
    },
    async deleteFile(id) {
      await system.DELETE('/asset_file/{id}', { params: { path: { id } } })
    },
    async refusal(id) {
      const { error, response } = await system.GET('/asset_file/{id}', { params: { path: { id } } })
      return [response.status, error?.code]
    },
    async createTable(name, table_schema) {
      const { data } = await system.POST('/datatable', { body: { name, table_schema } })
      return (require(data).columns ?? []).map((column) => column.name)
    },
    async createEntry(body) {
      const { data } = await modules.POST(TABLE, { body })
      return require(data).datatable_entry
    },
    async createEntries(body) {
      const { data } = await modules.POST('/module/datatable/1/products/bulk', { body })
      return require(data).datatable_entry.length
    },
    async findEntries(qry) {
      const { data } = await modules.GET(TABLE, { params: { query: { qry } } })
      return require(data).datatable_entry
    },
    async findEntriesByPost(qry) {
      const body = { qry }
      const { data } = await modules.POST('/module/datatable/1/products/search', { body })
      return require(data).datatable_entry
    },
    async readRelated(entry_id) {
      const params = { path: { entry_id }, query: { expand: 'also' } }
      const { data } = await modules.GET(ENTRY, { params })
      return require(data).expanded?.also?.map(({ title }) => title)
    },
    async updateEntry(entry_id, body) {
      const { data } = await modules.POST(ENTRY, { params: { path: { entry_id } }, body })
      return require(data)
    },
    async deleteEntry(entry_id) {
      await modules.DELETE(ENTRY, { params: { path: { entry_id } } })
    },
    async upload(folder, name, bytes) {
      // This generator types binary data as a string, so the form is built by hand.
      const body = { Filedata: '', asset_category_id: folder }
      const bodySerializer = (): FormData => {
        const form = new FormData()
        form.set('asset_category_id', String(folder))
        form.set('Filedata', bytes, name)
        return form
      }
      const { data } = await system.POST('/upload', { body, bodySerializer })
      const { asset_file_id, size } = require(data)
      return [asset_file_id, size]
    },
    async download(number, name) {
      const params = { path: { number, name } }
      const { data } = await system.GET('/file/{number}/{name}', { params, parseAs: 'blob' })
      return require(data)
    },
    async health() {
      const { data } = await system.GET('/health')
      return require(data).status
    },
  }
  return play('openapi-typescript', client)
}
