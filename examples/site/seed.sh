#!/bin/sh
# Fills an empty server with the content of this example. Set CMS_KEY to a key of the server (cms-server key create).
set -eu
cd "$(dirname "$0")/content"
export CMS_URL="${CMS_URL:-http://127.0.0.1:8080}" CMS_KEY="${CMS_KEY:?Set CMS_KEY to a key of the server.}"
PATH="$PATH:$PWD/../../../bin"

create() {
  curl -sS --fail-with-body -H "Authorization: Bearer $CMS_KEY" -H 'Content-Type: application/json' \
    "$CMS_URL/api/v2/$1" -d "$2"
}

# Everybody reads the live files of a public folder.
folder=$(create asset_category '{"name": "website", "public": true}' | jq .asset_category_id)
cms-server import website --category "$folder" --publish

pages=$(create datatable '{"name": "Pages", "public": true, "title_field": "title",
  "table_schema": "title C(80) NOTNULL, file C(80) NOTNULL"}' | jq -r .module_url)
cms-server import pages.csv --module "$pages"

# Everybody reads the approved releases, and not the column "approved".
releases=$(create datatable '{"name": "Press Releases", "public": true, "title_field": "title",
  "table_schema": "title C(255) NOTNULL, published D NOTNULL, picture C(80), body X, approved L",
  "public_columns": ["title", "published", "picture", "body"], "public_filter": {"approved": true}}' | jq -r .module_url)
cms-server import press-releases.csv --module "$releases"

events=$(create calendar '{"name": "Events", "public": true, "time_zone": "Europe/Berlin",
  "public_columns": ["location"]}' | jq -r .module_url)
cms-server import events.csv --module "$events"

echo "The front ends read /file/$folder, $pages, $releases and $events."
