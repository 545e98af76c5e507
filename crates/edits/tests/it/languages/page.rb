# frozen_string_literal: true

module Shop
  class Basket < Base
    attr_reader :items, :owner

    def initialize(owner, items: [], **options)
      @owner = owner
      @items = items.map { |item| item.to_s.strip }.reject(&:empty?)
      @limit = options.fetch(:limit, 10) || 5
    end

    def add(item, count = 1)
      return false if count <= 0 || full?
      puts "added  #{count} x #{item} for #{owner[:name]}"
      @items += [item] * count
      items.each_with_index do |entry, index|
        yield entry, index unless entry =~ /^\s*#/
      end
    end
  end
end
