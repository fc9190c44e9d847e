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
package org.hadoopmpsr.core.nested;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class NestedFormTest {

    @Test
    void readsWhatIsWritten() {
        BigInteger wide = BigInteger.TWO.pow(100).negate();
        NestedWriter out = new NestedWriter();
        int struct = out.beginStruct();
        out.field(1);
        int map = out.beginMap();
        byte[] key = "k".repeat(500).getBytes(StandardCharsets.UTF_8);
        out.putBytes(key, 0, key.length);
        out.putNull();
        out.end(map, 1);
        out.field(4);
        int list = out.beginList();
        out.putDecimal(wide);
        out.putDecimal(BigInteger.valueOf(-7));
        out.putBoolean(true);
        out.putDouble(Double.NaN);
        out.end(list, 4);
        out.end(struct, 2);
        NestedWriter copy = new NestedWriter();
        copy.putLong(-3);
        copy.putForm(out);

        NestedReader in = new NestedReader();
        in.start(copy.bytes(), 0);
        assertThat(in.readLong()).isEqualTo(-3);
        assertThat(in.readStruct()).isEqualTo(2);
        assertThat(in.readField()).isEqualTo(1);
        assertThat(in.readMap()).isEqualTo(1);
        assertThat(in.takeNull()).isFalse();
        in.readBytes();
        assertThat(new String(in.bytes(), in.start(), in.length(), StandardCharsets.UTF_8))
                .isEqualTo("k".repeat(500));
        assertThat(in.takeNull()).isTrue();
        assertThat(in.readField()).isEqualTo(4);
        assertThat(in.readList()).isEqualTo(4);
        assertThat(in.readDecimal()).isEqualTo(wide);
        assertThat(in.readDecimal()).isEqualTo(BigInteger.valueOf(-7));
        assertThat(in.readBoolean()).isTrue();
        assertThat(in.readDouble()).isNaN();
    }

    @Test
    void aValueOfAnyTypeIsSkipped() {
        NestedWriter out = new NestedWriter();
        int list = out.beginList();
        for (int i = 0; i < 2; i++) {
            int map = out.beginMap();
            out.putLong(i);
            int struct = out.beginStruct();
            out.field(0);
            out.putDecimal(BigInteger.TWO.pow(90));
            out.field(3);
            out.putBytes(new byte[i], 0, i);
            out.end(struct, 2);
            out.putBoolean(false);
            out.putNull();
            out.end(map, 2);
        }
        out.putDouble(1.5);
        out.end(list, 3);
        out.putLong(99);
        NestedReader in = new NestedReader();
        in.start(out.bytes(), 0);
        in.skip();
        assertThat(in.readLong()).isEqualTo(99);
        in.start(out.bytes(), 0);
        assertThatThrownBy(in::readStruct).hasMessageContaining("it is of another type");
    }
}
