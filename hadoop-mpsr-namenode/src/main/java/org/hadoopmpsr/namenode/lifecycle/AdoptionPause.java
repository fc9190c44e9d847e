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
package org.hadoopmpsr.namenode.lifecycle;

import java.io.IOException;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.client.proto.MpsrProtos.DatasetProto;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Lets nobody adopt files of a dataset for a while. Thread-safe. */
public final class AdoptionPause {
    private static final Logger LOG = PrintableLog.of(AdoptionPause.class);

    private final DefinitionChanges definitions;

    public AdoptionPause(DefinitionChanges definitions) {
        this.definitions = definitions;
    }

    /**
     * Begins or ends a pause. No effect if it is as wanted already.
     *
     * @param expected the id of the dataset that the caller knows; null for any
     */
    public DatasetRecord pause(String path, @Nullable String expected, boolean paused) throws IOException {
        return definitions.byCall(path, expected, dataset -> {
            DatasetProto now = dataset.definition();
            if (now.getAdoptionPaused() != paused) {
                definitions.put(
                        dataset, now.toBuilder().setAdoptionPaused(paused).build());
                LOG.info("MPSR: the adoption of files in {} {}", dataset.path(), paused ? "is paused" : "goes on");
            }
        });
    }
}
