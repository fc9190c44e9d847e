/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.columnar.read;

import java.io.IOException;
import java.nio.ByteOrder;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.jspecify.annotations.Nullable;

/** One column of a file, row by row, decoded to where the caller wants the rows. For one thread. */
final class ColumnStream implements ColumnFile.Stream {
    private final ColumnDescriptor descriptor;
    private final ValueDecoder decoder;
    private final DefinitionLevels levels = new DefinitionLevels();
    private final boolean required;
    private @Nullable PageReader pages;
    private int left;

    /** @param required true if a row without a value is a fault of the file */
    ColumnStream(ColumnDescriptor descriptor, ColumnVector vector, boolean required) {
        this.descriptor = descriptor;
        this.required = required;
        decoder = ValueDecoder.of(descriptor, vector);
    }

    ValueDecoder decoder() {
        return decoder;
    }

    @Override
    public void startRowGroup(PageReadStore chunks) throws IOException {
        PageReader reader = chunks.getPageReader(descriptor);
        pages = reader;
        left = 0;
        DictionaryPage page = reader.readDictionaryPage();
        decoder.startChunk(page == null ? null : page.getEncoding().initDictionary(descriptor, page));
    }

    @Override
    public void read(ColumnVector into, int at, int rows) throws IOException {
        int done = 0;
        while (done < rows) {
            if (left == 0) {
                nextPage();
            }
            int count = Math.min(left, rows - done);
            readFromPage(into, at + done, count);
            left -= count;
            done += count;
        }
    }

    private void readFromPage(ColumnVector into, int at, int rows) throws IOException {
        if (levels.takeFull(rows)) {
            decoder.read(into, at, rows);
            into.setPresent(at, rows);
            return;
        }
        int values = levels.read(rows);
        decoder.read(into, at, values);
        if (values == rows) {
            into.setPresent(at, rows);
            return;
        }
        if (required) {
            throw new IOException("column '" + descriptor.getPath()[0]
                    + "' is not null, but the file has a record without a value for it");
        }
        boolean[] present = levels.present();
        decoder.spread(into, at, values, present, rows);
        for (int row = 0; row < rows; row++) {
            if (present[row]) {
                into.setPresent(at + row, 1);
            } else {
                into.setNull(at + row, 1);
            }
        }
    }

    private void nextPage() throws IOException {
        DataPage page = pages == null ? null : pages.readPage();
        if (page == null) {
            throw new IOException("column '" + descriptor.getPath()[0]
                    + "' has fewer values than the row group has records; the file is damaged");
        }
        left = page.getValueCount();
        if (page instanceof DataPageV1 plain) {
            start(plain);
        } else {
            start((DataPageV2) page);
        }
    }

    private void start(DataPageV1 page) throws IOException {
        ByteBufferInputStream bytes = page.getBytes().toInputStream();
        if (descriptor.getMaxDefinitionLevel() == 0) {
            levels.startFull();
        } else if (page.getDlEncoding() == Encoding.RLE) {
            int length =
                    bytes.slice(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).getInt();
            levels.start(bytes.slice(length));
        } else {
            throw new IOException("column '" + descriptor.getPath()[0] + "' has definition levels in the encoding "
                    + page.getDlEncoding() + ", which is not supported; write the file anew");
        }
        decoder.startPage(page.getValueEncoding(), bytes, left);
    }

    private void start(DataPageV2 page) throws IOException {
        if (descriptor.getMaxDefinitionLevel() == 0) {
            levels.startFull();
        } else {
            ByteBufferInputStream packed = page.getDefinitionLevels().toInputStream();
            levels.start(packed.slice(packed.available()));
        }
        decoder.startPage(page.getDataEncoding(), page.getData().toInputStream(), left - page.getNullCount());
    }
}
