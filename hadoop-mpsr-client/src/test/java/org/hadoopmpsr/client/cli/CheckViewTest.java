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
package org.hadoopmpsr.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.verify.PlacementCheck;
import org.junit.jupiter.api.Test;

class CheckViewTest {

    @Test
    void theLastLineIsTheCommandThatReadsTheFiles() {
        StringWriter text = new StringWriter();
        PlacementCheck.Violation violation =
                new PlacementCheck.Violation("/cals/meas/f", "blk_1", "time", "host", "signal");
        CheckView.print(
                new Output(new PrintWriter(text, true)),
                new Path("hdfs://nn:8020/cals/meas"),
                new PlacementCheck.Result(6, 7, List.of(violation), List.of("the groups hold different records: ...")));

        assertThat(text.toString().lines())
                .containsExactly(
                        "/cals/meas/f: block blk_1 of group 'time' lies on host of group 'signal'",
                        "the groups hold different records: ...",
                        "6 files, 7 blocks, 1 outside their group",
                        "No file was read. To compare the records: hdfs mpsr verify hdfs://nn:8020/cals/meas");
    }
}
