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
package org.hadoopmpsr.columnar.merge;

import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import org.hadoopmpsr.columnar.buffer.StringVector;

/**
 * Keeps the dictionaries of a batch small: strings that no record to come needs are forgotten between two files, and a file
 * ends early where its strings take too much memory. For one thread.
 */
public final class StringMemory {
    private final MergeBatch batch;
    private final long most;

    /** @param most about how many bytes the dictionaries may take */
    public StringMemory(MergeBatch batch, long most) {
        this.batch = batch;
        this.most = most;
    }

    /** To be called when what is full of the batch is written, if no file is read. */
    public void trim(MergedFiles files) throws IOException {
        trim(files, List.of());
    }

    /** To be called when what is full of the batch is written. */
    void trim(MergedFiles files, List<InputCursor> inputs) throws IOException {
        long bytes = bytes();
        if (bytes > most) {
            files.finish();
        }
        if (bytes <= most / 2 || !files.isBetweenFiles()) {
            return;
        }
        for (int place = 0; place < batch.vectors().size(); place++) {
            if (batch.vector(place) instanceof StringVector strings) {
                trim(place, strings, inputs);
            }
        }
        batch.forgetRanks();
    }

    private long bytes() {
        long bytes = 0;
        for (int place = 0; place < batch.vectors().size(); place++) {
            if (batch.vector(place) instanceof StringVector strings) {
                bytes += strings.dictionary().sizeBytes()
                        + 12L * strings.dictionary().size();
            }
        }
        return bytes;
    }

    private void trim(int place, StringVector strings, List<InputCursor> inputs) {
        BitSet used = new BitSet();
        for (int row = 0; row < batch.rows(); row++) {
            if (!strings.isNull(row)) {
                used.set(strings.ids()[row]);
            }
        }
        inputs.forEach(input -> input.markUsed(place, used));
        int[] byOldNumber = strings.dictionary().retain(used);
        for (int row = 0; row < batch.rows(); row++) {
            if (!strings.isNull(row)) {
                strings.ids()[row] = byOldNumber[strings.ids()[row]];
            }
        }
        inputs.forEach(input -> input.renumber(place, byOldNumber));
    }
}
