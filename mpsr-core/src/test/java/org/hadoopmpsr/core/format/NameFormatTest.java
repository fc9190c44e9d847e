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
package org.hadoopmpsr.core.format;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.layout.MoveRecord;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.Test;

/** The names of directories that are records are those of docs/format.md. */
class NameFormatTest {

    @Test
    void pathsOfTheStore() {
        StoreLayout layout = new StoreLayout("/.mpsr");
        assertThat(layout.nodeDir("time", "uuid")).isEqualTo("/.mpsr/nodes/time/uuid");
        assertThat(layout.groupDir("meas-1a2b3c4d", "signal")).isEqualTo("/.mpsr/datasets/meas-1a2b3c4d/signal");
        assertThat(layout.stagingDir("meas-1a2b3c4d", "c")).isEqualTo("/.mpsr/datasets/meas-1a2b3c4d/staging/c");
        assertThat(layout.publishingDir("meas-1a2b3c4d", "c")).isEqualTo("/.mpsr/datasets/meas-1a2b3c4d/publishing/c");
        assertThat(layout.offsetsDir("meas-1a2b3c4d")).isEqualTo("/.mpsr/datasets/meas-1a2b3c4d/offsets");
        assertThat(layout.segmentDir("meas-1a2b3c4d", "c")).isEqualTo("/.mpsr/datasets/meas-1a2b3c4d/segments/c");
        assertThat(layout.replacedDir("meas-1a2b3c4d", "m")).isEqualTo("/.mpsr/datasets/meas-1a2b3c4d/replaced/m");
    }

    @Test
    void namesOfCommittedOffsets() {
        String name = "beam+loss%3D%C3%A9=3=42=meas-3-0-42-0a1b2c3d";
        CommittedOffset offset = new CommittedOffset("beam loss=é", 3, 42, "meas-3-0-42-0a1b2c3d");
        assertThat(offset.directoryName()).isEqualTo(name);
        assertThat(CommittedOffset.parse(name)).isEqualTo(offset);
    }

    @Test
    void namesOfMoves() {
        assertThat(new MoveRecord(2, "signal", 20, 0).name()).isEqualTo("move=2=20=signal");
        assertThat(new MoveRecord(2, "signal", 20, 1_048_576).name()).isEqualTo("move=2=20=1048576=signal");
        assertThat(MoveRecord.parse("move=2=20=signal")).contains(new MoveRecord(2, "signal", 20, 0));
        assertThat(MoveRecord.parse("move=2=20=1048576=signal")).contains(new MoveRecord(2, "signal", 20, 1_048_576));
    }

    @Test
    void namesOfPartitions() {
        var fields = Schema.parse("day date, system string, n bigint").columns();
        List<Object> values = Arrays.asList(17_287L, "a/b=50%é", null);
        String path = "day=2017-05-01/system=a%2Fb%3D50%25é/n=__HIVE_DEFAULT_PARTITION__";
        assertThat(PartitionPath.of(fields, values)).isEqualTo(path);
        assertThat(PartitionPath.values(fields, path + "/c-00000.parquet")).contains(values);
    }
}
