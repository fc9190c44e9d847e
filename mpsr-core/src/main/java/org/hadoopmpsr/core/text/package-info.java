/** Text that comes from outside, made fit to print. */
package org.hadoopmpsr.core.text;
