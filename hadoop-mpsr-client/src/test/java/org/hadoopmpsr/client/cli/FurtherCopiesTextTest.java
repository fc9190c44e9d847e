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

import org.hadoopmpsr.client.proto.MpsrProtos.FurtherCopiesProto;
import org.junit.jupiter.api.Test;

class FurtherCopiesTextTest {
    private static FurtherCopiesProto copies(int waiting, int refused) {
        return FurtherCopiesProto.newBuilder()
                .setBudgetPercent(50)
                .setBudgetBytes(7_500)
                .setBytes(2_000)
                .setFiles(1)
                .setCopies(2)
                .setWaiting(waiting)
                .setRefused(refused)
                .build();
    }

    @Test
    void whatDoesNotFitIsToldWhereThereIsAny() {
        assertThat(FurtherCopiesText.line(copies(0, 0)))
                .isEqualTo("Further copies: 2 of 1 file(s), 1.95 KB of 7.32 KB (50 %)");
        assertThat(FurtherCopiesText.line(copies(3, 4)))
                .endsWith("(50 %); 3 more wait for these; 4 more fit into no budget or quota");
        assertThat(FurtherCopiesText.json(copies(3, 4)))
                .containsEntry("bytes", 2_000L)
                .containsEntry("refused", 4L)
                .hasSize(7);
    }
}
