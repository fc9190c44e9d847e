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
package org.hadoopmpsr.catalog.plan;

import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.ExpressionVisitors.ExpressionVisitor;
import org.apache.iceberg.expressions.Expressions;

/** Gives the expression that it visits. Subclasses replace some of the parts. */
abstract class SameExpression extends ExpressionVisitor<Expression> {
    @Override
    public Expression alwaysTrue() {
        return Expressions.alwaysTrue();
    }

    @Override
    public Expression alwaysFalse() {
        return Expressions.alwaysFalse();
    }

    @Override
    public Expression not(Expression result) {
        return Expressions.not(result);
    }

    @Override
    public Expression and(Expression left, Expression right) {
        return Expressions.and(left, right);
    }

    @Override
    public Expression or(Expression left, Expression right) {
        return Expressions.or(left, right);
    }
}
